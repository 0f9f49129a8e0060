import { malformed } from "../../kernel/errors.ts"
import { createTurns } from "../../kernel/turns.ts"
import { pixelsOfPng, scansOfJpeg } from "./picture.ts"
import type { ImageType } from "./table.ts"

/** Decoding takes 4 bytes of memory for each pixel. */
const maxPixels = 40_000_000
/** Encoders make about ten. Decoding 40 million pixels takes some 15 ms for each. */
const maxScans = 100

/** Only raster formats that mail programs show; Bun reads more. */
const typeOfFormat: Readonly<Record<string, ImageType>> = {
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
}

/** Images are decoded one at a time, which bounds the memory. */
const inTurn = createTurns()

/**
 * The type of an image by its content, which is decoded off the event loop to prove that it is one. The size in pixels
 * is read from the header and checked before that, and what is not part of the picture is not decoded.
 * @throws {DomainError} malformed
 */
export const typeOfImage = (bytes: Uint8Array, projectId: string): Promise<ImageType> =>
  inTurn(projectId, () => decodedType(bytes))

async function decodedType(bytes: Uint8Array): Promise<ImageType> {
  try {
    const { format } = await new Bun.Image(bytes, { maxPixels }).metadata()
    const type = typeOfFormat[format]
    if (type === undefined) throw refused("ERR_IMAGE_UNKNOWN_FORMAT")
    if (isAnimatedWebp(bytes)) throw malformed("An animated WebP image cannot be checked. Send an animated GIF.")
    if (type === "image/jpeg" && scansOfJpeg(bytes) > maxScans)
      throw malformed(`The image has more than ${maxScans} scans. Save it again as an ordinary JPEG.`)
    const picture = type === "image/png" ? pixelsOfPng(bytes) : bytes
    await new Bun.Image(picture, { maxPixels }).resize(1, 1).png().bytes()
    return type
  } catch (cause) {
    const code = (cause as { code?: unknown } | null)?.code
    throw typeof code === "string" && code.startsWith("ERR_") ? refused(code) : cause
  }
}

/** RFC 9649, 2.7: the animation flag of the extended header. The decoder reads single images only. */
const isAnimatedWebp = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(8, 16)).toString("latin1") === "WEBPVP8X" && ((bytes[20] ?? 0) & 0x02) !== 0

function refused(code: string): Error {
  if (code === "ERR_IMAGE_TOO_MANY_PIXELS")
    return malformed(`The image has more than ${maxPixels / 1_000_000} million pixels.`)
  if (code === "ERR_IMAGE_UNKNOWN_FORMAT" || code === "ERR_IMAGE_FORMAT_UNSUPPORTED")
    return malformed("Send a JPEG, PNG, GIF or WebP image. The content decides, not the name.")
  return malformed("The image is damaged or incomplete.")
}
