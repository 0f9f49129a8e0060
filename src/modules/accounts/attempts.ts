import { and, eq, gt, inArray, lte, sql } from "drizzle-orm"
import { minute } from "../../kernel/clock.ts"
import type { Db } from "../../store/database.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { attemptTable } from "./table.ts"

/** The number of attempts allowed in a window that begins with the first one. */
export interface AttemptLimit {
  readonly name: string
  readonly most: number
  readonly windowMs: number
}

/**
 * Contract B8.2: failures for one address and, beyond the contract, for one client, so that nobody can try many
 * addresses.
 */
export const loginByAddress: AttemptLimit = { name: "login.address", most: 10, windowMs: 15 * minute }
export const loginByClient: AttemptLimit = { name: "login.client", most: 100, windowMs: 15 * minute }
export const verificationMails: AttemptLimit = { name: "verification.user", most: 3, windowMs: 60 * minute }
export const newAddresses: AttemptLimit = { name: "address.user", most: 30, windowMs: 60 * minute }
export const unknownMembers: AttemptLimit = { name: "member.user", most: 30, windowMs: 60 * minute }
export const resetMails: AttemptLimit = { name: "reset.address", most: 3, windowMs: 60 * minute }
export const resetByClient: AttemptLimit = { name: "reset.client", most: 30, windowMs: 60 * minute }
export const signupByClient: AttemptLimit = { name: "signup.client", most: 30, windowMs: 60 * minute }

/** Addresses and clients are stored only as hashes. */
const keyOf = (limit: AttemptLimit, of: string): string =>
  `${limit.name}:${new Bun.CryptoHasher("sha256").update(of).digest("base64url")}`

const findAttempts = prepare((db) =>
  db
    .select()
    .from(attemptTable)
    .where(and(eq(attemptTable.key, sql.placeholder("key")), gt(attemptTable.endsAt, sql.placeholder("now")))),
)

/** The seconds until the next attempt, at least 1, when the limit is reached; undefined when an attempt is allowed. */
export async function secondsUntilFree(
  db: Db,
  limit: AttemptLimit,
  of: string,
  now: number,
): Promise<number | undefined> {
  const [row] = await findAttempts(db, { key: keyOf(limit, of), now })
  // A window that begins in the future was counted while the clock was ahead, and is ignored.
  if (row === undefined || row.count < limit.most || row.startedAt > now) return undefined
  return Math.max(1, Math.ceil((row.endsAt - now) / 1_000))
}

/** Counts one attempt; resolves to the number of attempts in the window. */
export async function countAttempt(unit: Unit, limit: AttemptLimit, of: string): Promise<number> {
  const fresh = { count: 1, startedAt: unit.now, endsAt: unit.now + limit.windowMs }
  const goesOn = sql`${attemptTable.endsAt} > ${unit.now} AND ${attemptTable.startedAt} <= ${unit.now}`
  const [row] = await unit.db
    .insert(attemptTable)
    .values({ key: keyOf(limit, of), ...fresh })
    .onConflictDoUpdate({
      target: attemptTable.key,
      set: {
        count: sql`CASE WHEN ${goesOn} THEN ${attemptTable.count} + 1 ELSE 1 END`,
        startedAt: sql`CASE WHEN ${goesOn} THEN ${attemptTable.startedAt} ELSE ${fresh.startedAt} END`,
        endsAt: sql`CASE WHEN ${goesOn} THEN ${attemptTable.endsAt} ELSE ${fresh.endsAt} END`,
      },
    })
    .returning({ count: attemptTable.count })
  return row?.count ?? 1
}

/** Counts one attempt; resolves to whether it is within the limit. */
export async function isAttemptAllowed(unit: Unit, limit: AttemptLimit, of: string): Promise<boolean> {
  return (await countAttempt(unit, limit, of)) <= limit.most
}

/** Takes back one attempt of the present window, which turned out to be allowed any number of times. */
export async function takeBackAttempt(unit: Unit, limit: AttemptLimit, of: string): Promise<void> {
  const { key, count, endsAt } = attemptTable
  await unit.db
    .update(attemptTable)
    .set({ count: sql`${count} - 1` })
    .where(and(eq(key, keyOf(limit, of)), gt(count, 0), gt(endsAt, unit.now)))
}

export async function forgetAttempts(unit: Unit, limit: AttemptLimit, of: string): Promise<void> {
  await unit.db.delete(attemptTable).where(eq(attemptTable.key, keyOf(limit, of)))
}

/** Deletes up to `limit` windows that have ended; resolves to their number. */
export async function deleteOldAttempts(unit: Unit, limit: number): Promise<number> {
  const slice = unit.db
    .select({ key: attemptTable.key })
    .from(attemptTable)
    .where(lte(attemptTable.endsAt, unit.now))
    .limit(limit)
  const gone = await unit.db
    .delete(attemptTable)
    .where(inArray(attemptTable.key, slice))
    .returning({ key: attemptTable.key })
  return gone.length
}
