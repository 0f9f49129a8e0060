import { groupsOf } from "../../kernel/groups.ts"
import type { Email } from "./table.ts"

/** The bytes of the messages that one connection has in memory at once; more only for one that is larger by itself. */
const mostGroupBytes = 50_000_000

/** The messages in their order, in groups of limited size. One whose size cannot be read is left to whoever composes it. */
export async function groupsBySize(
  emails: readonly Email[],
  sizeOf: (email: Email) => Promise<number>,
): Promise<Iterable<readonly Email[]>> {
  if (emails.length === 1) return [emails]
  const sizes = new Map<Email, number>()
  for (const email of emails) sizes.set(email, await sizeOf(email).catch(() => 0))
  return groupsOf(emails, { bytes: mostGroupBytes }, (email) => sizes.get(email) ?? 0)
}
