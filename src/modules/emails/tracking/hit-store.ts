import { eq, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { idParam } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import { errorAfter, hasStatus, sentAtAfter } from "../ledger.ts"
import { type Email, emailTable } from "../table.ts"

const placeholder = sql.placeholder

const projectOf = prepare((db) =>
  db
    .select({ projectId: emailTable.projectId })
    .from(emailTable)
    .where(eq(emailTable.id, idParam("id"))),
)

/** The project of a message, or undefined when the message is deleted. */
export async function findProjectOf(db: Db, id: string): Promise<string | undefined> {
  const [row] = await projectOf(db, { id })
  return row?.projectId
}

const count = prepare((db) =>
  db
    .update(emailTable)
    .set({
      opens: sql`${emailTable.opens} + ${placeholder("opens")}`,
      clicks: sql`${emailTable.clicks} + ${placeholder("clicks")}`,
      scannerOpens: sql`${emailTable.scannerOpens} + ${placeholder("scannerOpens")}`,
      scannerClicks: sql`${emailTable.scannerClicks} + ${placeholder("scannerClicks")}`,
      openedAt: sql`coalesce(${emailTable.openedAt}, ${placeholder("openedAt")})`,
      clickedAt: sql`coalesce(${emailTable.clickedAt}, ${placeholder("clickedAt")})`,
      status: sql`${placeholder("status")}`,
      error: errorAfter,
      sentAt: sentAtAfter,
      updatedAt: sql`${placeholder("now")}`,
    })
    .where(hasStatus)
    .returning({ id: emailTable.id }),
)

/** The changes of a message by one hit. */
interface Counted {
  readonly kind: "open" | "click"
  readonly at: number
  readonly isScanner: boolean
  readonly status: Email["status"]
}

/** False when the message has another status than the one it was read with. */
export async function saveHit(unit: Unit, { id, status: from }: Email, counted: Counted): Promise<boolean> {
  const { kind, at, isScanner, status } = counted
  const one = (wanted: "open" | "click", also = true) => Number(kind === wanted && also)
  const saved = await count(unit.db, {
    id,
    from,
    opens: one("open"),
    clicks: one("click"),
    scannerOpens: one("open", isScanner),
    scannerClicks: one("click", isScanner),
    openedAt: kind === "open" ? at : null,
    clickedAt: kind === "click" ? at : null,
    status,
    now: unit.now,
  })
  return saved.length > 0
}

const leave = prepare((db) =>
  db
    .update(emailTable)
    .set({ unsubscribedAt: sql`coalesce(${emailTable.unsubscribedAt}, ${placeholder("now")})` })
    .where(eq(emailTable.id, idParam("id"))),
)

/** Records that the recipient unsubscribed by a link of this message; only the first time is stored. */
export async function saveUnsubscribed(unit: Unit, id: string): Promise<void> {
  await leave(unit.db, { id, now: unit.now })
}
