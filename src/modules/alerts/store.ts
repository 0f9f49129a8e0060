import { asc, eq } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { type Alert, alertTable } from "./table.ts"

const inOrder = prepare((db) => db.select().from(alertTable).orderBy(asc(alertTable.since), asc(alertTable.key)))

/** In the order in which they began. */
export const listAlerts = (db: Db): Promise<Alert[]> => inOrder(db, {})

/** False when it is in force already. */
export async function insertAlert(unit: Unit, alert: Alert): Promise<boolean> {
  const added = await unit.db.insert(alertTable).values(alert).onConflictDoNothing().returning({ key: alertTable.key })
  return added.length > 0
}

/** False when it is no longer in force. */
export async function deleteAlert(unit: Unit, key: string): Promise<boolean> {
  return (await unit.db.delete(alertTable).where(eq(alertTable.key, key)).returning({ key: alertTable.key })).length > 0
}
