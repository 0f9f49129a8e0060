import type { Clock } from "./clock.ts"

/** The only source of identifiers: UUIDv7 (RFC 9562), sequential in tests. Later ids sort after earlier ones. */
export interface Ids {
  next(): string
}

export const uuids = (clock: Clock): Ids => ({ next: () => Bun.randomUUIDv7("hex", clock.now()) })

/** The nil UUID (RFC 9562, 5.9), used where an id is required but no record exists. */
export const nilId = "00000000-0000-0000-0000-000000000000"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The canonical (lower case) form of an id in a request, or undefined when it is not a UUID (contract A1.1.1). */
export function parseId(text: string): string | undefined {
  const id = text.toLowerCase()
  return uuid.test(id) ? id : undefined
}
