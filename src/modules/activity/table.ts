import { primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import { count, string, uuid } from "../../store/columns.ts"
import { projectTable } from "../projects/index.ts"

/**
 * How much of each kind happened in each hour. Triggers on mails and events update the rows with every change, wherever
 * it is made. Hours, not days, so that the ends of a period, which are counted in the records, are short. A count may
 * be 0.
 */
export const activityTallyTable = sqliteTable(
  "activity_tally",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    /** An activity type, or one of the further `figures` of sources.ts. */
    kind: string("kind").notNull(),
    /** Hours since the epoch. */
    hour: count("hour").notNull(),
    count: count("count").notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.kind, t.hour] })],
)
