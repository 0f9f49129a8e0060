import { randomInt } from "node:crypto"
import type { Clock } from "./clock.ts"

/** The only source of identifiers: UUIDv7 (RFC 9562), sequential in tests. Later ids sort after earlier ones. */
export interface Ids {
  next(): string
}

export const uuids = (clock: Clock): Ids => ({ next: () => Bun.randomUUIDv7("hex", clock.now()) })

/**
 * The same for a clock that stands still, also across restarts: ids of one instant sort by the real time, which takes
 * the place of random bits, as a UUIDv7 may have a more precise time there (RFC 9562, 6.2, method 3).
 */
export function uuidsOfManual(clock: Clock, realClock: Clock): Ids {
  let real = 0
  let count = 0
  return {
    next() {
      count++
      const now = realClock.now()
      if (now > real || count >= 2 ** 12) {
        real = Math.max(now, real + 1)
        count = 0
      }
      const low = real % 2 ** 36
      const random = randomInt(2 ** 14)
      const time = hex(clock.now(), 12)
      const start = `${time.slice(0, 8)}-${time.slice(8)}-7${hex(Math.floor(real / 2 ** 36), 3)}`
      const variant = 0x8000 + Math.floor(low / 2 ** 22)
      return `${start}-${hex(variant, 4)}-${hex((low % 2 ** 22) * 2 ** 26 + count * 2 ** 14 + random, 12)}`
    },
  }
}

/** The last id of a time, in ms: those that were made later have a greater one. */
export function lastIdAt(at: number): string {
  const time = hex(at, 12)
  return `${time.slice(0, 8)}-${time.slice(8)}-7fff-bfff-ffffffffffff`
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0")

/** The max UUID (RFC 9562, 5.10), which comes after every other. */
export const maxId = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/** The nil UUID (RFC 9562, 5.9), used where an id is required but no record exists. */
export const nilId = "00000000-0000-0000-0000-000000000000"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * The 16 bytes of an id in canonical form; they sort like the ids (RFC 9562, 6.11). Any other text is returned
 * unchanged, and equals no stored id.
 */
export function bytesOfId(id: string): Uint8Array | string {
  if (id.length !== 36) return id
  const bytes = new Uint8Array(16)
  let from = 0
  for (let at = 0; at < 16; at++) {
    if (at === 4 || at === 6 || at === 8 || at === 10) {
      if (id.charCodeAt(from) !== hyphen) return id
      from++
    }
    const high = digitOf(id.charCodeAt(from))
    const low = digitOf(id.charCodeAt(from + 1))
    if (high < 0 || low < 0) return id
    bytes[at] = high * 16 + low
    from += 2
  }
  return bytes
}

/** The inverse of `bytesOfId`. */
export function idOfBytes(bytes: Uint8Array | string): string {
  if (typeof bytes === "string") return bytes
  const digits = bytes.toHex()
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`
}

const hyphen = "-".charCodeAt(0)

/** The value of a hexadecimal digit in lower case; -1 for another character. */
function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  return code >= 97 && code <= 102 ? code - 87 : -1
}

/** The canonical (lower case) form of an id in a request, or undefined when it is not a UUID (contract A1.1.1). */
export function parseId(text: string): string | undefined {
  const id = text.toLowerCase()
  return uuid.test(id) ? id : undefined
}
