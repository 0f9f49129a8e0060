import { expect, test } from "bun:test"
import * as bulk from "../../src/modules/bulk/store.ts"
import * as fields from "../../src/modules/contacts/fields/store.ts"
import { directions, endOf, sortKeys, startOf } from "../../src/modules/contacts/list/order.ts"
import * as list from "../../src/modules/contacts/list/store.ts"
import * as imports from "../../src/modules/contacts/merge/store.ts"
import * as scan from "../../src/modules/contacts/search/scan.ts"
import * as search from "../../src/modules/contacts/search/store.ts"
import * as contacts from "../../src/modules/contacts/store.ts"
import { isInWindow } from "../../src/modules/contacts/windows.ts"
import type { Db } from "../../src/store/database.ts"
import type { ReadPool } from "../../src/store/engine.ts"
import type { Unit } from "../../src/store/writer.ts"
import { queryPlans } from "../harness/plans.ts"

const { plan } = queryPlans(/json_each|LIST SUBQUERY|MERGE|^LEFT$|^RIGHT$/)

const project = "p"
const within = { after: 0, until: 9 }

test.each(
  sortKeys.flatMap((sort) =>
    directions.flatMap((dir) =>
      [undefined, true, false].flatMap((subscribed) =>
        [undefined, "text"].map((text) => ({ sort, dir, subscribed, search: text })),
      ),
    ),
  ),
)("a page is a range of an index: %j", async ({ sort, dir, ...filter }) => {
  const order = { sort, dir }
  const range = { after: startOf(order), until: endOf(order) }
  const lines = await plan((db) => list.listRange(db, project, order, filter, range, 21))
  const byTime = /^SEARCH contact USING INDEX contact_created \(project_id=\? AND subscribed=\? AND \(created_at,id\)/
  const byAddress = filter.subscribed === false ? "contact_unsubscribed" : "contact_email"
  const wanted = sort === "email" ? new RegExp(`INDEX ${byAddress} \\(project_id=\\? AND email>`) : byTime
  expect(lines).toHaveLength(sort === "createdAt" && filter.subscribed === undefined ? 2 : 1)
  for (const line of lines) expect(line).toMatch(wanted)
})

const bySeq = "SEARCH contact USING INTEGER PRIMARY KEY (rowid=?)"
/** The values of the one contact at hand. */
const values = ["CORRELATED SCALAR SUBQUERY 1", "SCAN node VIRTUAL TABLE INDEX 1:"]
const window = "SEARCH contact USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"
const small = { projectId: project, contacts: 1_000, last: 1_000_000 }
const large = { projectId: project, contacts: 10_000, last: 10_000 }
const poolOf = (db: Db): ReadPool => ({
  read: async (_, query) => query(db),
  releaseMemory() {},
  close: async () => {},
})

test.each<[what: string, work: (db: Db, unit: Unit) => Promise<unknown>, lines: string[]]>([
  ["contacts by seq", (db) => list.listBySeq(db, project, [1]), [bySeq]],
  [
    "subscribed contacts",
    (db) => list.listSubscribed(db, project),
    ["SEARCH contact USING COVERING INDEX contact_created (project_id=? AND subscribed=?)"],
  ],
  [
    "a count of matches in a small project",
    (db) => scan.countContaining({ read: db, readPool: poolOf(db) }, small, { search: "x" }),
    ["SEARCH contact USING COVERING INDEX contact_email (project_id=?)"],
  ],
  [
    "a count of subscribed matches in a large project",
    (db) => scan.countContaining({ read: db, readPool: poolOf(db) }, large, { search: "x", subscribed: true }),
    [window],
  ],
  [
    "the few matches in a large project",
    (db) => scan.createFewScan({ readPool: poolOf(db) }, 10)(large, "x"),
    [window],
  ],
  ["matches among some", (db) => search.listAmong(db, project, "x", [1]), [bySeq]],
  ["matches behind the index", (db) => search.listBetween(db, project, "x", 0, 9), [window]],
  ["the last contact", (db) => search.lastSeq(db), ["SEARCH contact"]],
  [
    "addresses",
    (db) => contacts.findAddresses(db, project, ["a"]),
    ["SEARCH contact USING COVERING INDEX contact_email (project_id=? AND email=?)"],
  ],
  [
    "a contact by address",
    (db) => contacts.findByEmail(db, project, "a"),
    ["SEARCH contact USING INDEX contact_email (project_id=? AND email=?)"],
  ],
  ["a contact", (db) => contacts.findById(db, project, "a"), ["SEARCH contact USING INDEX contact_id_unique (id=?)"]],
  [
    "the counts",
    (db) => contacts.countContacts(db, project),
    ["SEARCH contact_count USING PRIMARY KEY (project_id=?)"],
  ],
  ["who has a field", (db) => fields.listHolders(db, project, ["a"], within), [window]],
  [
    "how many have a field, in a large project",
    (db) => fields.countHolders(db, isInWindow(large, within), ["a"]),
    [window],
  ],
  [
    "how many have a field, in a small project",
    (db) => fields.countHolders(db, isInWindow(small, within), ["a"]),
    ["SEARCH contact USING INDEX contact_email (project_id=?)"],
  ],
  [
    "the values of a field",
    (db) => fields.listValues(db, isInWindow(large, within), ["a"]),
    [window, "USE TEMP B-TREE FOR DISTINCT"],
  ],
  [
    "which of some contacts there are",
    (db) => bulk.listPresent(db, project, ["a"]),
    ["SEARCH contact USING INDEX contact_id_unique (id=?)"],
  ],
  [
    "the size of some contacts",
    (db) => bulk.listDataBytes(db, project, ["a"]),
    ["SEARCH contact USING INDEX contact_id_unique (id=?)"],
  ],
  ["the size of contacts that lose a field", (db) => fields.narrowed(db, project, { after: 0, until: 9 }), [window]],
  [
    "which of some contacts have a text",
    (db) => bulk.listPresentHaving(db, project, ["a"], "text"),
    ["SEARCH contact USING INDEX contact_id_unique (id=?)", ...values],
  ],
  [
    "contacts with a text that a bulk job walks past",
    (db) => bulk.idsHaving(db, project, "text", 0, 9),
    [window, ...values],
  ],
  ["contacts that a bulk job walks past", (db) => bulk.listCandidates(db, project, 0, 9), [window]],
  [
    "contacts of a file",
    (db) => imports.findByEmails(db, project, ["a"]),
    ["SEARCH contact USING INDEX contact_email (project_id=? AND email=?)"],
  ],
  [
    "the size of contacts of a file",
    (db) => imports.listDataBytes(db, project, ["a"]),
    ["SEARCH contact USING INDEX contact_email (project_id=? AND email=?)"],
  ],
  ["a value taken off", (_, unit) => fields.clearValue(unit, project, ["a"], [1]), [bySeq]],
  [
    "a deletion",
    (_, unit) => contacts.deleteContact(unit, project, "a"),
    ["SEARCH contact USING INDEX contact_id_unique (id=?)"],
  ],
])("%s: only the necessary rows are read", async (_, work, lines) => {
  expect(await plan(work)).toEqual(lines)
})
