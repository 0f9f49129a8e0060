import type { ApiAnswer } from "./api.ts"
import type { TestApp } from "./app.ts"

const format = { png: "png", jpg: "jpeg", webp: "webp" } as const

/** An image of one colour, different for each seed. GIF, which Bun does not write, is of one pixel. */
export async function imageOf(kind: "png" | "jpg" | "webp" | "gif", seed = 0, size = 16): Promise<Buffer<ArrayBuffer>> {
  const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")
  // Both colours of the palette, and no transparency.
  for (const place of [13, 16]) pixel.writeUIntBE((seed * 7_919) & 0xffffff, place, 3)
  pixel[22] = 0
  if (kind === "gif") return pixel
  return Buffer.from(await new Bun.Image(pixel).resize(size, size)[format[kind]]().bytes())
}

/** A grey progressive JPEG of 8 by 8 pixels (ITU-T T.81, annexes B and G): its last scan, of 11 bytes, is repeated. */
export function progressiveJpeg(scans: number): Buffer<ArrayBuffer> {
  const segment = (marker: number, content: readonly number[]) => [0xff, marker, 0, content.length + 2, ...content]
  const table = (kind: number, symbol: number) => segment(0xc4, [kind, 1, ...Array(15).fill(0), symbol])
  const [first, last] = [segment(0xda, [1, 1, 0x00, 0, 0, 0]), segment(0xda, [1, 1, 0x00, 1, 63, 0])]
  return Buffer.from([
    ...[0xff, 0xd8],
    ...segment(0xdb, [0, ...Array(64).fill(1)]),
    ...segment(0xc2, [8, 0, 8, 0, 8, 1, 1, 0x11, 0]),
    ...table(0x00, 0),
    ...table(0x10, 0),
    ...[...first, 0x7f],
    ...Array.from({ length: scans - 1 }, () => [...last, 0x7f]).flat(),
    ...[0xff, 0xd9],
  ])
}

/** A form with an image. */
export function imageForm(content: BlobPart, { part = "image", name = "logo.png", type = "image/png" } = {}): FormData {
  const form = new FormData()
  form.append(part, new File([content], name, { type }))
  return form
}

export const uploadImage = (
  it: Pick<TestApp, "api">,
  content: BlobPart,
  { key = "sk", ...as }: { key?: string; name?: string; type?: string } = {},
): Promise<ApiAnswer> => it.api("POST /uploads/image", { key, raw: imageForm(content, as) })
