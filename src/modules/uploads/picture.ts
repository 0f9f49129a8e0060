const pngHead = 8
/** Length, type and checksum of a chunk. */
const chunkFrame = 12

/**
 * The chunks of a PNG that its pixels depend on: the critical ones, which have a capital first, and the transparency (PNG,
 * third edition, 5.4 and 11.3). A decoder keeps texts and profiles, which unpack to hundreds of times their size.
 */
export function pixelsOfPng(bytes: Uint8Array): Uint8Array {
  const kept = Buffer.from(bytes)
  let length = pngHead
  for (let at = pngHead; at + chunkFrame <= bytes.length; ) {
    const end = Math.min(bytes.length, at + chunkFrame + kept.readUInt32BE(at))
    const isCritical = ((bytes[at + 4] ?? 0) & 0x20) === 0
    if (isCritical || kept.toString("latin1", at + 4, at + 8) === "tRNS") {
      kept.copyWithin(length, at, end)
      length += end - at
    }
    at = end
  }
  return kept.subarray(0, length)
}

const startOfScan = 0xda
const endOfImage = 0xd9
/** TEM, RST0 to RST7 and SOI, and a zero or a fill byte after 0xff: no length follows (ITU-T T.81, B.1.1). */
const isAlone = (marker: number): boolean => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8) || marker === 0xff

/** The scans of a JPEG. Each passes over all pixels, and in a progressive one it may take a few dozen bytes. */
export function scansOfJpeg(bytes: Uint8Array): number {
  let scans = 0
  for (let at = 0; at + 1 < bytes.length; at++) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] !== 0xff || isAlone(marker)) continue
    if (marker === endOfImage) break
    if (marker === startOfScan) scans++
    at += 1 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0))
  }
  return scans
}
