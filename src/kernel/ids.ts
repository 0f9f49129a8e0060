import { randomInt } from "node:crypto"
import type { Clock } from "./clock.ts"

/** The only source of identifiers: UUIDv7 (RFC 9562), sequential in tests. Later ids sort after earlier ones. */
export interface Ids {
  next(): string
}

export const uuids = (clock: Clock): Ids => ({ next: () => Bun.randomUUIDv7("hex", clock.now()) })

/**
 * The same for a clock that stands still, also over restarts: ids of one time sort by the real time, which has the place of
 * random bits, as a UUIDv7 may have a more precise time there (RFC 9562, 6.2, method 3).
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

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0")

/** The nil UUID (RFC 9562, 5.9), used where an id is required but no record exists. */
export const nilId = "00000000-0000-0000-0000-000000000000"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The canonical (lower case) form of an id in a request, or undefined when it is not a UUID (contract A1.1.1). */
export function parseId(text: string): string | undefined {
  const id = text.toLowerCase()
  return uuid.test(id) ? id : undefined
}
