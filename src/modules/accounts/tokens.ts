import { and, eq, gt, inArray, lte } from "drizzle-orm"
import { day, hour, minute } from "../../kernel/clock.ts"
import type { Ids } from "../../kernel/ids.ts"
import type { Links } from "../../mail/links.ts"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import { type AccountToken, type TokenPurpose, tokenTable } from "./table.ts"

/** Contract B8.2, B10.4; the set-up link and the change of an address are ours. */
const lifeMs: Record<TokenPurpose, number> = { verify: day, reset: hour, email: day, setup: hour }

/**
 * One-time tokens: 256 bits that only this data folder can make of the id of a row. The row holds their hash. Mail that
 * waits in the ledger names the row, so that nothing that is stored opens an account.
 */
export function createTokens({ ids, links }: { ids: Ids; links: Links }) {
  const tokenOf = links.accountToken
  return {
    /** The address that a link with this token leads to. */
    linkOf: (purpose: TokenPurpose, id: string): string => links.account(purpose, id),

    /** A new token; those of the same purpose that the user has are void from now on. */
    async issue(
      unit: Unit,
      purpose: TokenPurpose,
      of: { userId: string | null; email: string | null },
    ): Promise<AccountToken> {
      await this.revoke(unit, purpose, of.userId)
      const id = ids.next()
      const row = {
        ...of,
        id,
        purpose,
        hash: hashOf(tokenOf(purpose, id)),
        createdAt: unit.now,
        expiresAt: unit.now + lifeMs[purpose],
      }
      await unit.db.insert(tokenTable).values(row)
      return row
    },

    /** The row of a token that is good now. */
    async find(db: Db, purpose: TokenPurpose, token: string, now: number): Promise<AccountToken | undefined> {
      const [row] = await db
        .select()
        .from(tokenTable)
        .where(and(eq(tokenTable.hash, hashOf(token)), eq(tokenTable.purpose, purpose), gt(tokenTable.expiresAt, now)))
      return row
    },

    /** The row with this id, while its token is good. */
    async get(db: Db, id: string, now: number): Promise<AccountToken | undefined> {
      const [row] = await db
        .select()
        .from(tokenTable)
        .where(and(eq(tokenTable.id, id), gt(tokenTable.expiresAt, now)))
      return row
    },

    /** Takes a token that is good now out of the table: whoever gets its row is the only one. */
    async redeem(unit: Unit, purpose: TokenPurpose, token: string): Promise<AccountToken | undefined> {
      const [row] = await unit.db
        .delete(tokenTable)
        .where(
          and(eq(tokenTable.hash, hashOf(token)), eq(tokenTable.purpose, purpose), gt(tokenTable.expiresAt, unit.now)),
        )
        .returning()
      return row
    },

    /** Voids the tokens of a purpose: of one user, or for `null` the set-up links. */
    async revoke(unit: Unit, purpose: TokenPurpose, userId: string | null): Promise<void> {
      const whose = userId === null ? [] : [eq(tokenTable.userId, userId)]
      await unit.db.delete(tokenTable).where(and(eq(tokenTable.purpose, purpose), ...whose))
    },

    /** Deletes a bounded slice of what has expired; resolves to how many went. */
    async dropExpired(unit: Unit, limit: number): Promise<number> {
      const slice = unit.db
        .select({ id: tokenTable.id })
        .from(tokenTable)
        .where(lte(tokenTable.expiresAt, unit.now))
        .limit(limit)
      return (await unit.db.delete(tokenTable).where(inArray(tokenTable.id, slice)).returning({ id: tokenTable.id }))
        .length
    },
  }
}

export type Tokens = ReturnType<typeof createTokens>

const hashOf = (token: string): string => new Bun.CryptoHasher("sha256").update(token).digest("base64url")

/** How long the set-up link that `serve` prints is good for, in minutes. */
export const setupMinutes = lifeMs.setup / minute
