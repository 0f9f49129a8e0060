import { and, eq, sql } from "drizzle-orm"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { type FieldType, fieldTable } from "../table.ts"

const { placeholder } = sql

const count = prepare((db) =>
  db
    .insert(fieldTable)
    .values({
      projectId: placeholder("projectId"),
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
    }),
)

/**
 * Counts contacts that have gained a key, in the unit that changes them. The first value of all fixes the type of the
 * field (contract A2.3).
 */
export async function countField(
  unit: Unit,
  projectId: string,
  key: string,
  type: FieldType,
  contacts = 1,
): Promise<void> {
  await count(unit.db, { projectId, key, type, contacts })
}

/** Subtracts contacts that have lost a key. */
export async function uncountField(unit: Unit, projectId: string, key: string, contacts = 1): Promise<void> {
  await unit.db
    .update(fieldTable)
    .set({ contactCount: sql`${fieldTable.contactCount} - ${contacts}` })
    .where(and(eq(fieldTable.projectId, projectId), eq(fieldTable.key, key)))
}
