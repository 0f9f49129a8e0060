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
