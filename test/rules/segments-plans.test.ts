import { beforeAll, expect, test } from "bun:test"
import { and, count } from "drizzle-orm"
import { contactTable, isInWindow, widthFor, windowsOf } from "../../src/modules/contacts/index.ts"
import { matches } from "../../src/modules/segments/evaluate/matches.ts"
import { createTrees } from "../../src/modules/segments/evaluate/trees.ts"
import * as facts from "../../src/modules/segments/incremental/facts.ts"
import * as members from "../../src/modules/segments/members/store.ts"
import * as segments from "../../src/modules/segments/store.ts"
import type { Db } from "../../src/store/database.ts"
import type { Unit } from "../../src/store/writer.ts"
import { queryPlans } from "../harness/plans.ts"
import { all, field, inSegment } from "../harness/segments.ts"

const { app, db: connect, explained, plan } = queryPlans(/json_each|SUBQUERY/)
let list: string
beforeAll(async () => {
  list = (await app().api("POST /segments", { body: { name: "List", type: "STATIC" } })).body.id
})

const condition = all(
  field("data.plan", "equals", "pro"),
  field("event.buy", "triggeredWithin", 7, "days"),
  field("email.opened", "triggered"),
)

/** The plan of counting matches in a window, for a project with so many of a million contacts. */
async function counted(contacts: number): Promise<string[]> {
  const db = connect()
  const named = { ...condition, groups: [...condition.groups, { filters: [inSegment(list)] }] }
  const match = await matches(db, app().project.id, JSON.stringify(named), createTrees(), 0)
  const query = db
    .select({ total: count() })
    .from(contactTable)
    .where(and(isInWindow({ projectId: app().project.id, last: 1_000_000, contacts }, { after: 0, until: 9 }), match))
  const { sql, params } = query.toSQL()
  return explained(sql, params)
}

const correlated = [
  "SEARCH event EXISTS USING COVERING INDEX event_contact (contact_id=? AND name=? AND created_at>?)",
  "SEARCH email EXISTS USING INDEX email_contact (contact_id=?)",
  "SEARCH segment_member EXISTS USING COVERING INDEX segment_member_contact (contact_id=? AND segment_id=?)",
]

test("a project with most of all contacts is scanned by seq, past the few of others", async () => {
  const [contacts, ...others] = await counted(900_000)
  expect(contacts).toBe("SEARCH contact USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)")
  expect(others).toEqual(correlated)
})

test("a small project is read by its own index, without contacts of others", async () => {
  const [contacts, ...others] = await counted(1_000)
  expect(contacts).toMatch(/^SEARCH contact USING INDEX contact_(email|created) \(project_id=\?\)$/)
  expect(others).toEqual(correlated)
})

test("windows cover all contacts, each once, and are as wide as the share of the project requires", () => {
  const range = (contacts: number, last = 1_000) => ({ projectId: "p", last, contacts })
  expect(windowsOf(range(1_000), 400)).toEqual([
    { after: 0, until: 400 },
    { after: 400, until: 800 },
    { after: 800, until: 1_000 },
  ])
  expect(windowsOf(range(10), 400)).toEqual([{ after: 0, until: 1_000 }])
  expect(windowsOf(range(100), 25)).toHaveLength(4)
  expect(windowsOf(range(0), 400)).toEqual([])
  expect(windowsOf(range(0, 0), 400)).toEqual([])
  expect(widthFor(range(1), 10)).toBe(10_000)
})

const [project, id] = ["p", "c"]

test.each<[what: string, work: (db: Db, unit: Unit) => Promise<unknown>, lines: string[]]>([
  [
    "the tracked segments of a project",
    (db) => segments.listTracked(db, project),
    ["SEARCH segment USING INDEX segment_project (project_id=?)"],
  ],
  [
    "segments by their ids",
    (db) => segments.listRules(db, project, [id]),
    ["SEARCH segment USING INDEX segment_project (project_id=? AND id=?)"],
  ],
  [
    "the next project with segments",
    (db) => segments.nextProject(db, project),
    ["SEARCH segment USING COVERING INDEX segment_project (project_id>?)"],
  ],
  [
    "the memberships of a contact",
    (db) => members.listMemberships(db, id),
    ["SEARCH segment_member USING COVERING INDEX segment_member_contact (contact_id=?)"],
  ],
  [
    "the members of a segment, counted",
    (db) => Promise.resolve(members.countMembers(db, id)),
    ["SEARCH segment_member USING PRIMARY KEY (segment_id=?)"],
  ],
  [
    "the latest times of a contact",
    (db) => facts.lastTimes(db, id, { events: new Set(["buy"]), mails: true }, () => true),
    [
      "SEARCH event USING COVERING INDEX event_contact (contact_id=? AND name=?)",
      "SEARCH email USING INDEX email_contact (contact_id=?)",
    ],
  ],
  [
    "removing members",
    (_, unit) => members.removeMembers(unit, id, [id]),
    ["SEARCH segment_member USING PRIMARY KEY (segment_id=? AND contact_id=?)"],
  ],
  [
    "adding a contact to segments",
    (_, unit) => members.addToSegments(unit, id, [id]),
    ["SEARCH contact USING COVERING INDEX contact_id_unique (id=?)"],
  ],
  [
    "removing a contact from segments",
    (_, unit) => members.removeFromSegments(unit, id, [id]),
    ["SEARCH segment_member USING INDEX segment_member_contact (contact_id=? AND segment_id=?)"],
  ],
])("%s: reads no more than it needs", async (_, work, lines) => {
  expect(await plan(work)).toEqual(lines)
})
