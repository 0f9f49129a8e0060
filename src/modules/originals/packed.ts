/** A message in the form in which it is stored. */
export interface PackedMessage {
  readonly stored: Uint8Array
}

/** What begins every frame of Zstandard (RFC 8878, 3.1.1). */
const magic = [0x28, 0xb5, 0x2f, 0xfd] as const

const isFrame = (bytes: Uint8Array): boolean => magic.every((byte, at) => bytes[at] === byte)

/** More would block the event loop for longer than a millisecond or two, so a thread does it. */
const maxAtOnce = 256 * 1024
const level = 1

/**
 * Compresses a message, unless that makes it longer: most mail becomes half as long or less, and the time is less than that for
 * storing the rest. What looks like a frame by itself is always compressed, so that it is known what a stored frame is.
 */
export async function packMessage(bytes: Uint8Array): Promise<PackedMessage> {
  const frame =
    bytes.byteLength <= maxAtOnce ? Bun.zstdCompressSync(bytes, { level }) : await Bun.zstdCompress(bytes, { level })
  return { stored: frame.byteLength < bytes.byteLength || isFrame(bytes) ? frame : bytes }
}

/** The message as it was received or made. */
export async function unpackMessage({ stored }: PackedMessage): Promise<Uint8Array> {
  if (!isFrame(stored)) return stored
  return stored.byteLength <= maxAtOnce / 4 ? Bun.zstdDecompressSync(stored) : Bun.zstdDecompress(stored)
}
