import { and, asc, count, eq, gt, isNotNull, lte, type SQL, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import {
  hasJson,
  idParam,
  isOneOf,
  isUnindexed,
  jsonPath,
  jsonTypeOf,
  jsonValueOf,
  withoutJson,
} from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { contactTable, type Field, type FieldType, fieldTable } from "../table.ts"
import { dataBytes, inUnits } from "../units.ts"
import type { Window } from "../windows.ts"

/** A custom field that the project has seen. */
export type KnownField = Field & { readonly type: FieldType }
const isKnown = (field: Field): field is KnownField => field.type !== null

export async function listFields(db: Db, projectId: string): Promise<KnownField[]> {
  const rows = await db
    .select()
    .from(fieldTable)
    .where(and(eq(fieldTable.projectId, projectId), isNotNull(fieldTable.type)))
  return rows.filter(isKnown)
}

/** Where the values of a custom field are: at a key of data, or at a path inside its value. */
export interface Location {
  readonly path: readonly string[]
  readonly field: KnownField
}

/**
 * A name with dots is a key where the project has such a key, and else a path into the longest key that the name begins
 * with. Undefined when the project has seen no such key.
 */
export async function locateField(db: Db, projectId: string, name: string): Promise<Location | undefined> {
  const parts = name.split(".")
  const longest = Math.min(parts.length, maxLevels)
  for (let length = parts.length; length > 0; length = length > longest ? longest : length - 1) {
    const key = parts.slice(0, length).join(".")
    const field = await findField(db, projectId, key)
    if (field) return { path: [key, ...parts.slice(length)], field }
  }
  return undefined
}

/** Keys with more dots than data has levels are found only as a whole: this bounds the look-ups of one name. */
const maxLevels = 20

async function findField(db: Db, projectId: string, key: string): Promise<KnownField | undefined> {
  const [row] = await db
    .select()
    .from(fieldTable)
    .where(and(eq(fieldTable.projectId, projectId), eq(fieldTable.key, key)))
  return row && isKnown(row) ? row : undefined
}

/** Removes the type of a field, after which the project counts as not having seen it. */
export async function forgetType(unit: Unit, projectId: string, key: string): Promise<void> {
  await unit.db
    .update(fieldTable)
    .set({ type: null })
    .where(and(eq(fieldTable.projectId, projectId), eq(fieldTable.key, key)))
}

/** Deletes a field that no contact has any more, even if a value was written during its deletion and gave it a type. */
export async function deleteUnused(unit: Unit, projectId: string, key: string): Promise<void> {
  await unit.db
    .delete(fieldTable)
    .where(and(eq(fieldTable.projectId, projectId), eq(fieldTable.key, key), lte(fieldTable.contactCount, 0)))
}

const { placeholder } = sql
const { seq, projectId, data } = contactTable

const sizes = prepare((db) =>
  db
    .select({ seq, bytes: dataBytes })
    .from(contactTable)
    .where(
      and(gt(seq, placeholder("after")), lte(seq, placeholder("until")), isUnindexed(projectId, idParam("projectId"))),
    )
    .orderBy(asc(seq)),
)

/** The first part of a window that one unit of work can change. */
export async function narrowed(db: Db, project: string, window: Window): Promise<Window> {
  const rows = await sizes(db, { projectId: project, ...window })
  const [first = []] = inUnits(rows, rows.length, ({ bytes }) => bytes)
  return first.length < rows.length ? { ...window, until: first.at(-1)?.seq ?? window.until } : window
}

const holders = prepare((db) =>
  db
    .select({ seq })
    .from(contactTable)
    .where(
      and(
        gt(seq, placeholder("after")),
        lte(seq, placeholder("until")),
        isUnindexed(projectId, idParam("projectId")),
        hasJson(data, placeholder("path")),
      ),
    ),
)

/** The contacts of a window that have a value at the path, by `seq`. */
export async function listHolders(db: Db, project: string, path: readonly string[], window: Window): Promise<number[]> {
  const rows = await holders(db, { projectId: project, path: jsonPath(path), ...window })
  return rows.map((row) => row.seq)
}

export type Primitive = string | number | boolean

/** How many of these contacts have a value at the path. */
export async function countHolders(db: Db, within: SQL, path: readonly string[]): Promise<number> {
  const [row] = await db
    .select({ holders: count() })
    .from(contactTable)
    .where(and(within, hasJson(data, jsonPath(path))))
  return row?.holders ?? 0
}

/** The distinct primitive values of these contacts at the path. */
export async function listValues(db: Db, within: SQL, names: readonly string[]): Promise<Primitive[]> {
  const path = jsonPath(names)
  const values = db
    .selectDistinct({ type: jsonTypeOf(data, path), value: jsonValueOf(data, path) })
    .from(contactTable)
    .where(and(within, hasJson(data, path)))
  const found: Primitive[] = []
  for (const { type, value } of await values) {
    if (type === "boolean") found.push(value === 1)
    else if ((type === "number" || type === "string") && value !== null) found.push(value)
  }
  return found
}

const clear = prepare((db) =>
  db
    .update(contactTable)
    .set({ data: withoutJson(data, placeholder("path")), updatedAt: sql`${placeholder("now")}` })
    .where(
      and(
        isOneOf(seq, placeholder("seqs")),
        isUnindexed(projectId, idParam("projectId")),
        hasJson(data, placeholder("path")),
      ),
    )
    .returning({ id: contactTable.id }),
)

/** Deletes a value from these contacts; resolves to the ids of those that had it. */
export async function clearValue(
  unit: Unit,
  project: string,
  path: readonly string[],
  seqs: readonly number[],
): Promise<string[]> {
  const values = { projectId: project, path: jsonPath(path), seqs: JSON.stringify(seqs), now: unit.now }
  return (await clear(unit.db, values)).map(({ id }) => id)
}
