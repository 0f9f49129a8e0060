import { and, eq, isNotNull, count as rows, sql } from "drizzle-orm"
import { fault, invalid } from "../../../kernel/errors.ts"
import type { Db } from "../../../store/database.ts"
import { idParam } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { type FieldType, fieldTable } from "../table.ts"

const { placeholder } = sql

const count = prepare((db) =>
  db
    .insert(fieldTable)
    .values({
      projectId: idParam("projectId"),
      key: placeholder("key"),
      type: placeholder("type"),
      contactCount: placeholder("contacts"),
    })
    .onConflictDoUpdate({
      target: [fieldTable.projectId, fieldTable.key],
      set: {
        type: sql`coalesce(${fieldTable.type}, excluded.type)`,
        contactCount: sql`${fieldTable.contactCount} + excluded.contact_count`,
      },
    })
    .returning({ contactCount: fieldTable.contactCount }),
)

const typed = prepare((db) =>
  db
    .select({ key: fieldTable.key })
    .from(fieldTable)
    .where(
      and(
        eq(fieldTable.projectId, idParam("projectId")),
        eq(fieldTable.key, placeholder("key")),
        isNotNull(fieldTable.type),
      ),
    ),
)

const known = prepare((db) =>
  db
    .select({ key: fieldTable.key })
    .from(fieldTable)
    .where(and(eq(fieldTable.projectId, idParam("projectId")), isNotNull(fieldTable.type))),
)

const countKnown = prepare((db) =>
  db
    .select({ fields: rows() })
    .from(fieldTable)
    .where(and(eq(fieldTable.projectId, idParam("projectId")), isNotNull(fieldTable.type))),
)

/** Custom fields of one project (contract A9, row 14). */
export const maxFields = 1_000
/**
 * The number up to which the public key may add fields: the key is in web pages, and must not use up all of them
 * (contract A2.1.7).
 */
export const maxPublicFields = 250

function tooMany(key: string, limit: number) {
  const has = limit < maxFields ? "The public key makes new custom fields up to" : "A project has at most"
  return invalid([fault("data", "too_big", `${has} ${limit} custom fields: ${key} is one too many.`)])
}

/**
 * @throws {DomainError} 422 for new keys of one contact that are more than its project may have: before any of them is
 * counted
 */
export function checkAdded(added: readonly string[]): void {
  const key = added[maxFields]
  if (key !== undefined) throw tooMany(key, maxFields)
}

/** The keys that have a type in the project. */
export const listKeys = async (db: Db, projectId: string): Promise<Set<string>> =>
  new Set((await known(db, { projectId })).map(({ key }) => key))

/**
 * Counts contacts that have gained a key, in the unit that changes them. The first value of all fixes the type of the
 * field (contract A2.3). @throws {DomainError} 422 for a new field when the project then has more than `limit`
 */
export async function countField(
  unit: Unit,
  projectId: string,
  key: string,
  type: FieldType,
  { contacts = 1, limit = maxFields }: { contacts?: number; limit?: number | undefined } = {},
): Promise<void> {
  // Below the limit of a project, a known field that no contact has any more must not be refused like a new one.
  const isKnown = limit < maxFields && (await typed(unit.db, { projectId, key })).length > 0
  const [field] = await count(unit.db, { projectId, key, type, contacts })
  if (isKnown || field?.contactCount !== contacts) return
  const [all] = await countKnown(unit.db, { projectId })
  if (all !== undefined && all.fields > limit) throw tooMany(key, limit)
}

/** Subtracts contacts that have lost a key. */
export async function uncountField(unit: Unit, projectId: string, key: string, contacts = 1): Promise<void> {
  await unit.db
    .update(fieldTable)
    .set({ contactCount: sql`${fieldTable.contactCount} - ${contacts}` })
    .where(and(eq(fieldTable.projectId, projectId), eq(fieldTable.key, key)))
}
