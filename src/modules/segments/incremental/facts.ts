import { and, desc, eq, max, ne, type SQL, sql } from "drizzle-orm"
import type { Activity, Facts } from "../../../conditions/index.ts"
import type { Db } from "../../../store/database.ts"
import { idParam } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import { emailTable } from "../../emails/index.ts"
import { eventTable } from "../../events/index.ts"

const { placeholder } = sql

const lastEvent = prepare((db) =>
  db
    .select({ at: eventTable.createdAt })
    .from(eventTable)
    .where(and(eq(eventTable.contactId, idParam("contactId")), eq(eventTable.name, placeholder("name"))))
    .orderBy(desc(eventTable.createdAt))
    .limit(1),
)

const lastMails = prepare((db) =>
  db
    .select({
      sent: max(emailTable.sentAt),
      delivered: max(emailTable.deliveredAt),
      opened: max(emailTable.openedAt),
      clicked: max(emailTable.clickedAt),
      bounced: max(emailTable.bouncedAt),
      complained: max(emailTable.complainedAt),
    } satisfies Record<Activity, SQL<number | null>>)
    .from(emailTable)
    .where(and(eq(emailTable.contactId, idParam("contactId")), ne(emailTable.sourceType, "INBOUND"))),
)

export type Times = Pick<Facts, "lastEvent" | "lastMail">

/**
 * The latest times of events of some names, and of the mails, of a contact. Costs one index lookup for each name, and ends
 * early when `inTime` says no.
 */
export async function lastTimes(
  db: Db,
  contactId: string,
  { events, mails: needsMails }: { readonly events: ReadonlySet<string>; readonly mails: boolean },
  inTime: () => boolean,
): Promise<Times> {
  const at = new Map<string, number>()
  for (const name of events) {
    if (!inTime()) break
    const [row] = await lastEvent(db, { contactId, name })
    if (row) at.set(name, row.at)
  }
  const [mails] = needsMails ? await lastMails(db, { contactId }) : []
  return {
    lastEvent: (name) => at.get(name) ?? null,
    lastMail: (activity) => mails?.[activity] ?? null,
  }
}
