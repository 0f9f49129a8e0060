import { groupsOf } from "../../../kernel/groups.ts"
import type { Email } from "../table.ts"

/** The most bytes of messages that one connection holds in memory, unless a single message is larger. */
const mostGroupBytes = 50_000_000

/**
 * Splits messages, in order, into groups of limited size. A failure to determine a size is left to the composer to
 * report.
 */
export async function groupsBySize(
  emails: readonly Email[],
  sizeOf: (email: Email) => Promise<number>,
): Promise<Iterable<readonly Email[]>> {
  if (emails.length === 1) return [emails]
  const sizes = new Map<Email, number>()
  for (const email of emails) sizes.set(email, await sizeOf(email).catch(() => 0))
  return groupsOf(emails, { bytes: mostGroupBytes }, (email) => sizes.get(email) ?? 0)
}
