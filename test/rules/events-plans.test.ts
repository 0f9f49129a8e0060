import { expect, test } from "bun:test"
import * as drop from "../../src/modules/events/drop-store.ts"
import * as events from "../../src/modules/events/store.ts"
import * as tally from "../../src/modules/events/tally.ts"
import type { Db } from "../../src/store/database.ts"
import type { Unit } from "../../src/store/writer.ts"
import { queryPlans } from "../harness/plans.ts"

const { plan } = queryPlans(/json_each|SUBQUERY|CO-ROUTINE|SETUP|RECURSIVE STEP/)

const contact = "SEARCH contact USING INDEX contact_id_unique (id=?) LEFT-JOIN"
// Events of the same millisecond lie together, and these alone are sorted by id.
const byId = "USE TEMP B-TREE FOR LAST TERM OF ORDER BY"
const place = events.newest

test.each<[what: string, work: (db: Db, unit: Unit) => PromiseLike<unknown>, lines: string[]]>([
  [
    "a page of all events",
    (db) => events.listEvents(db, "p", place, 21),
    ["SEARCH event USING INDEX sqlite_autoindex_event_1 (project_id=? AND id<?)", contact],
  ],
  [
    "a page of the events of a name",
    (db) => events.listNamed(db, "p", "a", place, 21),
    ["SEARCH event USING INDEX event_name (project_id=? AND name=? AND created_at<?)", contact, byId],
  ],
  [
    "the events of a contact, of each name no more than a page",
    (db) => events.positionsOfContact(db, "p", "c", place, 21),
    [
      "SEARCH event USING COVERING INDEX event_contact (contact_id=?)",
      "SCAN step",
      "SEARCH event USING COVERING INDEX event_contact (contact_id=? AND name>?)",
      "SCAN step",
      "SEARCH recent USING INDEX sqlite_autoindex_event_1 (project_id=? AND id=?)",
      "SEARCH event USING INDEX event_contact (contact_id=? AND name=? AND created_at<?)",
      byId,
      "USE TEMP B-TREE FOR ORDER BY",
    ],
  ],
  [
    "the events of a period, of each name no more than a page",
    (db) => events.positionsWithin(db, "p", { from: 1, to: 2 }, place, 21),
    [
      "SEARCH event_tally USING COVERING INDEX sqlite_autoindex_event_tally_1 (project_id=?)",
      "SEARCH recent USING INDEX sqlite_autoindex_event_1 (project_id=? AND id=?)",
      "SEARCH event USING INDEX event_name (project_id=? AND name=? AND created_at>? AND created_at<?)",
      byId,
      "USE TEMP B-TREE FOR ORDER BY",
    ],
  ],
  [
    "how many events of a period there are",
    (db) => tally.countWithin(db, "p", { from: 1, to: 2 }),
    [
      "SEARCH event_tally USING COVERING INDEX sqlite_autoindex_event_tally_1 (project_id=?)",
      "SEARCH event USING COVERING INDEX event_name (project_id=? AND name=? AND created_at>? AND created_at<?)",
    ],
  ],
  [
    "the events of a contact in a period",
    (db) => events.positionsMatching(db, "p", { contactId: "c", period: { from: 1, to: undefined } }, place, 21),
    ["SEARCH event USING INDEX event_contact (contact_id=?)", "USE TEMP B-TREE FOR ORDER BY"],
  ],
  [
    "the events of a contact with a name",
    (db) => events.positionsMatching(db, "p", { contactId: "c", name: "a" }, place, 21),
    ["SEARCH event USING INDEX event_contact (contact_id=? AND name=? AND created_at<?)", byId],
  ],
  [
    "how many of them there are",
    (db) => events.countMatching(db, "p", { contactId: "c", name: "a" }),
    ["SEARCH event USING INDEX event_contact (contact_id=? AND name=?)"],
  ],
  [
    "events by their ids",
    (db) => events.listByIds(db, "p", ["a"]),
    ["SEARCH event USING INDEX sqlite_autoindex_event_1 (project_id=? AND id=?)", contact],
  ],
  [
    "how many events a contact has",
    (db) => events.countOfContact(db, "c", 9),
    ["SEARCH event USING COVERING INDEX event_contact (contact_id=?)", "SCAN theirs"],
  ],
  [
    "the names",
    (db) => tally.countNames(db, "p"),
    ["SEARCH event_tally USING INDEX sqlite_autoindex_event_tally_1 (project_id=?)", "USE TEMP B-TREE FOR ORDER BY"],
  ],
  [
    "how many events there are",
    (db) => tally.countEvents(db, "p"),
    ["SEARCH event_tally USING INDEX sqlite_autoindex_event_tally_1 (project_id=?)"],
  ],
  [
    "how many events of a name there are",
    (db) => tally.countEvents(db, "p", "a"),
    ["SEARCH event_tally USING INDEX sqlite_autoindex_event_tally_1 (project_id=? AND name=?)"],
  ],
  [
    "the counts of a period, name by name",
    (db) => tally.countNamesWithin(db, "p", { from: 1, to: 2 }),
    [
      "SEARCH event_tally USING COVERING INDEX sqlite_autoindex_event_tally_1 (project_id=?)",
      "SEARCH event USING COVERING INDEX event_name (project_id=? AND name=? AND created_at>? AND created_at<?)",
      "USE TEMP B-TREE FOR ORDER BY",
    ],
  ],
  [
    "the latest event of a name",
    (db) => drop.findLatest(db, "p", "a"),
    ["SEARCH event USING INDEX event_name (project_id=? AND name=?)", byId],
  ],
  [
    "a slice of a deletion",
    (_, unit) => drop.deleteSome(unit, "p", "a", place, 9),
    [
      "SEARCH event USING COVERING INDEX sqlite_autoindex_event_1 (project_id=? AND id=?)",
      "SEARCH event USING INDEX event_name (project_id=? AND name=? AND created_at<?)",
    ],
  ],
])("%s: only the necessary rows are read", async (_, work, lines) => {
  expect(await plan(work)).toEqual(lines)
})
