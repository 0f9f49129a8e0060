import { index, primaryKey, sqliteTable } from "drizzle-orm/sqlite-core"
import type { ConditionJson } from "../../conditions/index.ts"
import { choice, count, flag, json, string, timeMs, uuid } from "../../store/columns.ts"
import { contactTable } from "../contacts/index.ts"
import { projectTable } from "../projects/index.ts"

export const segmentTypes = ["DYNAMIC", "STATIC"] as const

export const segmentTable = sqliteTable(
  "segment",
  {
    id: uuid("id").primaryKey(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projectTable.id, { onDelete: "cascade" }),
    name: string("name").notNull(),
    description: string("description"),
    type: choice("type", segmentTypes).notNull(),
    /** As sent, without unknown keys; null for STATIC. */
    condition: json<ConditionJson>("condition"),
    trackMembership: flag("track_membership").notNull(),
    /** As last counted (contract B3.4.1). */
    memberCount: count("member_count").notNull().default(0),
    /** Why the last count or computation ended early (contract B3.1.4); null after one that did not. */
    computeError: string("compute_error"),
    createdAt: timeMs("created_at").notNull(),
    updatedAt: timeMs("updated_at").notNull(),
  },
  (t) => [index("segment_project").on(t.projectId, t.id)],
)

/**
 * Recorded membership of STATIC segments, and of DYNAMIC ones that track it (contract B3.4.2). Rows of a segment that is
 * deleted or no longer tracked are ignored; a job deletes them in slices, since there may be a million.
 */
export const segmentMemberTable = sqliteTable(
  "segment_member",
  {
    segmentId: uuid("segment_id").notNull(),
    contactId: uuid("contact_id")
      .notNull()
      .references(() => contactTable.id, { onDelete: "cascade" }),
    joinedAt: timeMs("joined_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.segmentId, t.contactId] }), index("segment_member_contact").on(t.contactId)],
)

export type Segment = typeof segmentTable.$inferSelect
export type SegmentType = (typeof segmentTypes)[number]
