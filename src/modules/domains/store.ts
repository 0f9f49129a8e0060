import { and, asc, desc, eq, gt, inArray, notInArray, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { idParam } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { type DkimKey, type Domain, dkimKeyTable, domainTable } from "./table.ts"

/**
 * The results of the checks of a domain that is verified by its records, with its active keys in order of creation: a
 * row for each key, or one row without a key.
 */
export const findSending = prepare((db) =>
  db
    .select({ key: dkimKeyTable, checks: domainTable.checks })
    .from(domainTable)
    .leftJoin(dkimKeyTable, and(eq(dkimKeyTable.domainId, domainTable.id), eq(dkimKeyTable.state, "active")))
    .where(
      and(
        eq(domainTable.projectId, idParam("projectId")),
        eq(domainTable.domain, sql.placeholder("domain")),
        eq(domainTable.verified, true),
        eq(domainTable.vouched, false),
      ),
    )
    .orderBy(asc(dkimKeyTable.id)),
)

export const findOwner = prepare((db) =>
  db
    .select({ projectId: domainTable.projectId, verified: domainTable.verified })
    .from(domainTable)
    .where(eq(domainTable.domain, sql.placeholder("domain"))),
)

export async function findDomain(db: Db, projectId: string, id: string): Promise<Domain | undefined> {
  const [row] = await db
    .select()
    .from(domainTable)
    .where(and(eq(domainTable.projectId, projectId), eq(domainTable.id, id)))
  return row
}

const byName = prepare((db) =>
  db
    .select()
    .from(domainTable)
    .where(eq(domainTable.domain, sql.placeholder("domain"))),
)

export async function findByName(db: Db, domain: string): Promise<Domain | undefined> {
  const [row] = await byName(db, { domain })
  return row
}

/** Newest first. */
export const listDomains = (db: Db, projectId: string): Promise<Domain[]> =>
  db
    .select()
    .from(domainTable)
    .where(eq(domainTable.projectId, projectId))
    .orderBy(desc(domainTable.createdAt), desc(domainTable.id))

/** Domains of all projects that are checked, by id, after the given one. */
export const listChecked = (db: Db, after: string, limit: number): Promise<Domain[]> =>
  db
    .select()
    .from(domainTable)
    .where(and(eq(domainTable.vouched, false), gt(domainTable.id, after)))
    .orderBy(asc(domainTable.id))
    .limit(limit)

/** In order of creation. */
export const listKeys = (db: Db, domainId: string): Promise<DkimKey[]> =>
  db.select().from(dkimKeyTable).where(eq(dkimKeyTable.domainId, domainId)).orderBy(asc(dkimKeyTable.id))

/** Existing keys are not changed. */
export async function insertKeys(unit: Unit, keys: readonly DkimKey[]): Promise<void> {
  if (keys.length > 0)
    await unit.db
      .insert(dkimKeyTable)
      .values([...keys])
      .onConflictDoNothing()
}

/** Makes the next keys with these selectors the active ones, and the active ones old; nothing when another check did. */
export async function switchKeys(unit: Unit, domainId: string, selectors: readonly string[]): Promise<void> {
  const isOf = eq(dkimKeyTable.domainId, domainId)
  const moved = await unit.db
    .update(dkimKeyTable)
    .set({ state: "active" })
    .where(and(isOf, eq(dkimKeyTable.state, "next"), inArray(dkimKeyTable.selector, [...selectors])))
    .returning({ id: dkimKeyTable.id })
  if (moved.length === 0) return
  const before = and(isOf, eq(dkimKeyTable.state, "active"), notInArray(dkimKeyTable.selector, [...selectors]))
  await unit.db.update(dkimKeyTable).set({ state: "old" }).where(before)
}

/** Deletes old keys of a domain. */
export async function deleteKeys(unit: Unit, domainId: string, selectors: readonly string[]): Promise<void> {
  if (selectors.length > 0)
    await unit.db
      .delete(dkimKeyTable)
      .where(
        and(
          eq(dkimKeyTable.domainId, domainId),
          inArray(dkimKeyTable.selector, [...selectors]),
          eq(dkimKeyTable.state, "old"),
        ),
      )
}

/**
 * Deletes all DKIM keys, for a folder that has lost its secret. Each domain gets new ones on first use, and is verified
 * once their records are found; until then one that the operator verified sends without a signature.
 */
export async function forgetKeys(unit: Unit): Promise<void> {
  await unit.db.delete(dkimKeyTable)
  await unit.db.update(domainTable).set({ checks: {}, misses: 0 })
  await unit.db
    .update(domainTable)
    .set({ verified: false, status: "PENDING", pendingSince: unit.now, lastCheckedAt: null })
    .where(eq(domainTable.vouched, false))
}

/** Saves a change of a domain, if it still exists. */
export async function saveDomain(unit: Unit, id: string, change: Partial<Domain>): Promise<Domain | undefined> {
  const [row] = await unit.db.update(domainTable).set(change).where(eq(domainTable.id, id)).returning()
  return row
}

/** False when the project has no such domain. */
export async function deleteDomain(unit: Unit, projectId: string, id: string): Promise<boolean> {
  const rows = await unit.db
    .delete(domainTable)
    .where(and(eq(domainTable.projectId, projectId), eq(domainTable.id, id)))
    .returning({ id: domainTable.id })
  return rows.length > 0
}
