import { and, eq, gte, inArray, lt } from "drizzle-orm"
import { day, hour } from "../../kernel/clock.ts"
import type { Ids } from "../../kernel/ids.ts"
import type { Links } from "../../mail/links.ts"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import { type AccountToken, type TokenPurpose, tokenTable } from "./table.ts"

/** Contract B8.2, B10.4; the set-up link and the change of an address are not in the contract. */
const lifeMs: Record<TokenPurpose, number> = { verify: day, reset: hour, email: day, setup: hour }
/** Purposes for which only the latest token is valid. For the others, all are valid until one of them is used. */
const single: readonly TokenPurpose[] = ["email", "setup"]

/**
 * One-time tokens: 256 bits derived from the id of a row with the secret of the data folder. The row has their hash.
 * Mail waiting in the ledger names the row, so nothing in the database gives access to an account.
 */
export function createTokens({ ids, links }: { ids: Ids; links: Links }) {
  const tokenOf = links.accountToken
  return {
    /** The URL with this token. */
    linkOf: (purpose: TokenPurpose, id: string): string => links.account(purpose, id),

    /** Issues a token. Earlier ones to change an address, and of the set-up, become void. */
    async issue(
      unit: Unit,
      purpose: TokenPurpose,
      of: { userId: string | null; email: string | null },
    ): Promise<AccountToken> {
      if (single.includes(purpose)) await this.revoke(unit, purpose, of.userId)
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

    /** The row of a token that is valid at `now`. */
    async find(db: Db, purpose: TokenPurpose, token: string, now: number): Promise<AccountToken | undefined> {
      const [row] = await db
        .select()
        .from(tokenTable)
        .where(and(eq(tokenTable.hash, hashOf(token)), eq(tokenTable.purpose, purpose), gte(tokenTable.expiresAt, now)))
      return row
    },

    /** The row with this id, while its token is valid. */
    async get(db: Db, id: string, now: number): Promise<AccountToken | undefined> {
      const [row] = await db
        .select()
        .from(tokenTable)
        .where(and(eq(tokenTable.id, id), gte(tokenTable.expiresAt, now)))
      return row
    },

    /** Deletes and returns the row of a valid token, so that it can be used only once. */
    async redeem(unit: Unit, purpose: TokenPurpose, token: string): Promise<AccountToken | undefined> {
      const [row] = await unit.db
        .delete(tokenTable)
        .where(
          and(eq(tokenTable.hash, hashOf(token)), eq(tokenTable.purpose, purpose), gte(tokenTable.expiresAt, unit.now)),
        )
        .returning()
      return row
    },

    /** Voids the tokens of a purpose: of one user, or the set-up links for `null`. */
    async revoke(unit: Unit, purpose: TokenPurpose, userId: string | null): Promise<void> {
      const whose = userId === null ? [] : [eq(tokenTable.userId, userId)]
      await unit.db.delete(tokenTable).where(and(eq(tokenTable.purpose, purpose), ...whose))
    },

    /** Deletes up to `limit` expired tokens; resolves to their number. */
    async deleteExpired(unit: Unit, limit: number): Promise<number> {
      const slice = unit.db
        .select({ id: tokenTable.id })
        .from(tokenTable)
        .where(lt(tokenTable.expiresAt, unit.now))
        .limit(limit)
      return (await unit.db.delete(tokenTable).where(inArray(tokenTable.id, slice)).returning({ id: tokenTable.id }))
        .length
    },
  }
}

export type Tokens = ReturnType<typeof createTokens>

const hashOf = (token: string): string => new Bun.CryptoHasher("sha256").update(token).digest("base64url")
