import { primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import { count, string, uuid } from "../../store/columns.ts"
import { projectTable } from "../projects/index.ts"

const projectId = () =>
  uuid("project_id")
    .notNull()
    .references(() => projectTable.id, { onDelete: "cascade" })

/** Days since the epoch, UTC. */
const day = () => count("day").notNull()

/**
 * How many events of each name there are on each day, those about messages excepted. Triggers update it, as they do
 * the table below. A count may be 0.
 */
export const eventDayTable = sqliteTable(
  "event_day",
  { projectId: projectId(), day: day(), name: string("name").notNull(), count: count("count").notNull() },
  (t) => [primaryKey({ columns: [t.projectId, t.day, t.name] })],
)

/** The outcomes of the mails sent on a day, by the domain of the recipient. */
export const domainDayTable = sqliteTable(
  "domain_day",
  {
    projectId: projectId(),
    /** The day on which the mails were sent; their opens, clicks and bounces count for this day. */
    day: day(),
    domain: string("domain").notNull(),
    sent: count("sent").notNull(),
    delivered: count("delivered").notNull(),
    opened: count("opened").notNull(),
    clicked: count("clicked").notNull(),
    bounced: count("bounced").notNull(),
    complained: count("complained").notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.day, t.domain] })],
)
