import { expect, test } from "bun:test"
import { loadConfig } from "../../src/config.ts"
import { createEmailSweeps } from "../../src/modules/emails/deletion/sweeps.ts"
import { deleteOldOriginals } from "../../src/modules/originals/store.ts"
import { deleteOldRequests, listRequests } from "../../src/modules/requests/store.ts"
import { createMessageLimit } from "../../src/modules/sandbox/keep.ts"
import { queryPlans } from "../harness/plans.ts"

const bystander = "0199c0de-0000-7000-9000-00000000aaaa"
const { plan } = queryPlans(/^(?:CO-ROUTINE|SCALAR|LIST SUBQUERY|USING|CREATE BLOOM|MATERIALIZE|SCAN oldest)/)

test("what is swept is found by indexes, in the order in which it became old", async () => {
  const { config } = loadConfig({})
  for (const { name, run } of createEmailSweeps(config.retention)) {
    const lines = await plan((_, unit) => run((step) => step(unit, 10)))
    expect([name, lines.length > 0]).toEqual([name, true])
    for (const line of lines) expect(line).toMatch(/^SEARCH (?:email|content|link) USING/)
    expect(lines.join()).not.toContain("TEMP B-TREE")
  }
})

test("the oldest messages of a sandbox are read in order, those that wait among them", async () => {
  const projects = { list: async () => [{ id: bystander }] as never }
  const lines = await plan((db, unit) =>
    createMessageLimit(
      { store: { read: db }, bus: { emit: async () => {} } as never, projects },
      { keepMessages: 0, keepMs: 1 },
    ).run((step) => step(unit, 10)),
  )
  expect(lines).toEqual(["SEARCH email USING INDEX email_recent (project_id=?)"])
})

test("originals and requests are read from the oldest on", async () => {
  const originals = await plan((_, unit) => deleteOldOriginals(unit, 1, 10))
  const requests = await plan((_, unit) => deleteOldRequests(unit, 1, 10))
  expect(originals.join()).not.toContain("TEMP B-TREE")
  expect(requests.join()).not.toContain("TEMP B-TREE")
  expect(originals).toContain("SEARCH email USING INDEX sqlite_autoindex_email_1 (id=?)")
  expect(requests).toContain("SEARCH request USING INTEGER PRIMARY KEY (rowid=?)")
})

test("the request log is read by project and by position", async () => {
  expect(await plan((db) => listRequests(db, { projectId: "p" }, 5, 10))).toEqual([
    "SEARCH request USING INDEX request_project (project_id=? AND id<?)",
  ])
  expect(await plan((db) => listRequests(db, { projectId: null }, 5, 10))).toEqual([
    "SEARCH request USING INTEGER PRIMARY KEY (rowid<?)",
  ])
})
