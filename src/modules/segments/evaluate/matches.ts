import { and, eq, exists, gte, isNotNull, ne, type SQL, sql } from "drizzle-orm"
import { type Activity, type SqlSubject, toSql } from "../../../conditions/index.ts"
import { DomainError } from "../../../kernel/errors.ts"
import type { Db } from "../../../store/database.ts"
import { contactTable } from "../../contacts/index.ts"
import { emailTable } from "../../emails/index.ts"
import { eventTable } from "../../events/index.ts"
import { isMember } from "../members/store.ts"
import { isRecorded } from "../rules.ts"
import type { Rule } from "../store.ts"
import { type Dependencies, dependenciesOf } from "./dependencies.ts"
import type { Tree, Trees } from "./trees.ts"

const { id, email, subscribed, createdAt, updatedAt, data } = contactTable

const activityTimes = {
  sent: emailTable.sentAt,
  delivered: emailTable.deliveredAt,
  opened: emailTable.openedAt,
  clicked: emailTable.clickedAt,
  bounced: emailTable.bouncedAt,
  complained: emailTable.complainedAt,
} as const satisfies Record<Activity, unknown>

/** Conditions of other segments that one query may inline; the limit on filters at a write keeps it far below. */
const maxInlined = 2_000

/** Whether the contact of the surrounding query matches a condition at an instant. */
function matchSql(db: Db, tree: Tree, dependencies: Dependencies, trees: Trees, now: number): SQL {
  let inlined = 0
  const one = { one: sql`1` }
  const subject: SqlSubject = {
    email,
    subscribed,
    createdAt,
    updatedAt,
    data,
    eventSince: (name, since) =>
      exists(
        db
          .select(one)
          .from(eventTable)
          .where(
            and(
              eq(eventTable.contactId, id),
              eq(eventTable.name, name),
              since === null ? undefined : gte(eventTable.createdAt, since),
            ),
          ),
      ),
    mailSince: (activity, since) => {
      const at = activityTimes[activity]
      const isOutgoing = and(eq(emailTable.contactId, id), ne(emailTable.sourceType, "INBOUND"))
      const isInTime = since === null ? isNotNull(at) : gte(at, since)
      return exists(db.select(one).from(emailTable).where(and(isOutgoing, isInTime)))
    },
    memberOf(segmentId) {
      const rule = dependencies.get(segmentId)
      if (rule === undefined) return null
      if (isRecorded(rule) || rule.condition === null) return isMember(db, segmentId)
      if (++inlined > maxInlined)
        throw new DomainError("malformed", "BAD_REQUEST", "The condition names segments that name too many others.")
      return sql`(${toSql(trees(rule.condition).condition, subject, now)})`
    },
  }
  return toSql(tree.condition, subject, now)
}

/** Whether the contact of the surrounding query matches a stored condition at the instant `now`. */
export async function matches(db: Db, projectId: string, condition: string, trees: Trees, now: number): Promise<SQL> {
  const tree = trees(condition)
  return matchSql(db, tree, await dependenciesOf(db, projectId, [tree], trees), trees, now)
}

/** The same for a segment: its recorded members when it is STATIC, else the contacts that match its condition now. */
export async function isInSegment(db: Db, rule: Rule, trees: Trees, now: number): Promise<SQL> {
  if (rule.type === "STATIC" || rule.condition === null) return isMember(db, rule.id)
  return matches(db, rule.projectId, rule.condition, trees, now)
}
