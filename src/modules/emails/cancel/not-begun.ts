import { and, asc, type Column, eq, inArray, type SQL } from "drizzle-orm"
import { isOneOf, isUnindexed } from "../../../store/dialect.ts"
import { unleased } from "../../../store/lease.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Begun } from "../delivery/begun.ts"
import { isClaimedBulk, isPending } from "../ledger.ts"
import { type Email, emailTable } from "../table.ts"

interface Ending {
  /** Selects messages by a column that an index of waiting messages begins with. */
  readonly of: readonly [column: Column, id: string]
  readonly where?: SQL | undefined
  readonly status: Email["status"] | SQL
  readonly error: string | SQL
  /** The most messages of one unit. */
  readonly limit: number
}

/**
 * Ends messages that have not begun to leave: those that wait, the oldest first, and bulk mail that is claimed for a
 * connection. Resolves to their ids; fewer than the limit mean that nothing is left.
 */
export async function endNotBegun(
  unit: Unit,
  begun: Pick<Begun, "withdraw">,
  { of: [owner, ownerId], where, status, error, limit }: Ending,
): Promise<{ id: string }[]> {
  const ended = { status, error, ...unleased, updatedAt: unit.now } as const
  const { id, leaseOwner } = emailTable
  const oldest = unit.db
    .select({ id })
    .from(emailTable)
    .where(and(isPending, eq(owner, ownerId), where))
    .orderBy(asc(id))
    .limit(limit)
  const waiting = await unit.db
    .update(emailTable)
    .set(ended)
    .where(and(isPending, inArray(id, oldest)))
    .returning({ id })
  const room = limit - waiting.length
  if (room === 0) return waiting
  // By the index of leases: few more messages are claimed than there are connections.
  const claimed = await unit.db
    .select({ id, leaseOwner })
    .from(emailTable)
    .where(and(isClaimedBulk, isUnindexed(owner, ownerId), where))
  const withdrawn: string[] = []
  for (const email of claimed) if (withdrawn.length < room && begun.withdraw(email)) withdrawn.push(email.id)
  if (withdrawn.length === 0) return waiting
  const taken = await unit.db
    .update(emailTable)
    .set(ended)
    .where(and(isClaimedBulk, isOneOf(id, JSON.stringify(withdrawn))))
    .returning({ id })
  return [...waiting, ...taken]
}
