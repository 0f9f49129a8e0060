import { beforeAll, expect, test } from "bun:test"
import { and, count } from "drizzle-orm"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { whoFits } from "../../src/modules/segments/evaluate/belongs.ts"
import { createTrees } from "../../src/modules/segments/evaluate/trees.ts"
import { askedOf, isWithin, widthFor, windowsOf } from "../../src/modules/segments/evaluate/windows.ts"
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

/** How those who fit are counted in a window of a project that has so many of all contacts. */
async function counted(contacts: number): Promise<string[]> {
  const db = connect()
  const named = { ...condition, groups: [...condition.groups, { filters: [inSegment(list)] }] }
  const who = await whoFits(db, app().project.id, JSON.stringify(named), createTrees(), 0)
  const query = db
    .select({ total: count() })
    .from(contactTable)
    .where(and(isWithin({ projectId: app().project.id, last: 1_000_000, contacts }), who))
  const { sql, params } = askedOf(query)({ after: 0, until: 9 }).toSQL()
  return explained(sql, params)
}

const correlated = [
  "SEARCH event EXISTS USING COVERING INDEX event_contact (contact_id=? AND name=? AND created_at>?)",
  "SEARCH email EXISTS USING INDEX email_contact (contact_id=?)",
  "SEARCH segment_member EXISTS USING COVERING INDEX segment_member_contact (contact_id=? AND segment_id=?)",
]

test("a project that has most contacts is walked by seq, past the few of others", async () => {
  const [contacts, ...others] = await counted(900_000)
  expect(contacts).toBe("SEARCH contact USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)")
  expect(others).toEqual(correlated)
})

test("a small project is walked by its own index, and its neighbours are not read", async () => {
  const [contacts, ...others] = await counted(1_000)
  expect(contacts).toMatch(/^SEARCH contact USING INDEX contact_(email|created) \(project_id=\?\)$/)
  expect(others).toEqual(correlated)
})

test("windows cover all contacts, each once, and are as wide as the share of a project asks for", () => {
  const reach = (contacts: number, last = 1_000) => ({ projectId: "p", last, contacts })
  expect(windowsOf(reach(1_000), 400)).toEqual([
    { after: 0, until: 400 },
    { after: 400, until: 800 },
    { after: 800, until: 1_000 },
  ])
  expect(windowsOf(reach(10), 400)).toEqual([{ after: 0, until: 1_000 }])
  expect(windowsOf(reach(100), 25)).toHaveLength(4)
  expect(windowsOf(reach(0), 400)).toEqual([])
  expect(windowsOf(reach(0, 0), 400)).toEqual([])
  expect(widthFor(reach(1), 10)).toBe(10_000)
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
    "the last times of a contact",
    (db) => facts.lastTimes(db, id, new Set(["buy"]), true),
    [
      "SEARCH event USING COVERING INDEX event_contact (contact_id=? AND name=?)",
      "SEARCH email USING INDEX email_contact (contact_id=?)",
    ],
  ],
  [
    "members that leave",
    (_, unit) => members.removeMembers(unit, id, [id]),
    ["SEARCH segment_member USING PRIMARY KEY (segment_id=? AND contact_id=?)"],
  ],
])("%s: no more is looked at than must be", async (_, work, lines) => {
  expect(await plan(work)).toEqual(lines)
})
