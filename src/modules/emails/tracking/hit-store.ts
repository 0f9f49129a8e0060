import { eq, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { errorAfter } from "../ledger.ts"
import { type Email, emailTable } from "../table.ts"

const hole = sql.placeholder

const projectOf = prepare((db) =>
  db
    .select({ projectId: emailTable.projectId })
    .from(emailTable)
    .where(eq(emailTable.id, hole("id"))),
)

/** The project of a message, or undefined when the message is gone. */
export async function findProjectOf(db: Db, id: string): Promise<string | undefined> {
  const [row] = await projectOf(db, { id })
  return row?.projectId
}

const count = prepare((db) =>
  db
    .update(emailTable)
    .set({
      opens: sql`${emailTable.opens} + ${hole("opens")}`,
      clicks: sql`${emailTable.clicks} + ${hole("clicks")}`,
      scannerOpens: sql`${emailTable.scannerOpens} + ${hole("scannerOpens")}`,
      scannerClicks: sql`${emailTable.scannerClicks} + ${hole("scannerClicks")}`,
      openedAt: sql`coalesce(${emailTable.openedAt}, ${hole("openedAt")})`,
      clickedAt: sql`coalesce(${emailTable.clickedAt}, ${hole("clickedAt")})`,
      status: sql`${hole("status")}`,
      error: errorAfter,
      updatedAt: sql`${hole("now")}`,
    })
    .where(eq(emailTable.id, hole("id"))),
)

/** What one hit adds to a message. */
export interface Counted {
  readonly kind: "open" | "click"
  readonly at: number
  readonly isScanner: boolean
  readonly status: Email["status"]
}

export async function saveHit(unit: Unit, id: string, { kind, at, isScanner, status }: Counted): Promise<void> {
  const one = (wanted: "open" | "click", also = true) => Number(kind === wanted && also)
  await count(unit.db, {
    id,
    opens: one("open"),
    clicks: one("click"),
    scannerOpens: one("open", isScanner),
    scannerClicks: one("click", isScanner),
    openedAt: kind === "open" ? at : null,
    clickedAt: kind === "click" ? at : null,
    status,
    now: unit.now,
  })
}

const leave = prepare((db) =>
  db
    .update(emailTable)
    .set({ unsubscribedAt: sql`coalesce(${emailTable.unsubscribedAt}, ${hole("now")})` })
    .where(eq(emailTable.id, hole("id"))),
)

/** Notes that the recipient left by a link of this message: the first time counts. */
export async function saveLeft(unit: Unit, id: string): Promise<void> {
  await leave(unit.db, { id, now: unit.now })
}
