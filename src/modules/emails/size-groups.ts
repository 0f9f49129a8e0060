import type { Email } from "./table.ts"

/** The bytes of the messages that one connection has in memory at once; more only for one that is larger by itself. */
const mostGroupBytes = 50_000_000

/** The messages in their order, in groups of limited size. One whose size cannot be read is left to whoever composes it. */
export async function* groupsBySize(
  emails: readonly Email[],
  sizeOf: (email: Email) => Promise<number>,
): AsyncGenerator<readonly Email[]> {
  if (emails.length === 1) return yield emails
  let group: Email[] = []
  let bytes = 0
  for (const email of emails) {
    const size = await sizeOf(email).catch(() => 0)
    if (group.length > 0 && bytes + size > mostGroupBytes) {
      yield group
      group = []
      bytes = 0
    }
    group.push(email)
    bytes += size
  }
  if (group.length > 0) yield group
}
