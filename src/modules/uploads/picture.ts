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
