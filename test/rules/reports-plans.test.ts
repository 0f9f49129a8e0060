import { expect, test } from "bun:test"
import { findReported } from "../../src/modules/emails/outcome/reported.ts"
import { deleteOldReports, saveReceived } from "../../src/modules/reports/store.ts"
import { queryPlans } from "../harness/plans.ts"

const { plan } = queryPlans(/^(?:CO-ROUTINE|SCALAR|LIST SUBQUERY)/)

test("the mail of a report is found by indexes, however it is named", async () => {
  const names = { emailId: "a", messageId: "b@acme.test", providerId: "c" }
  expect(await plan((db) => findReported(db, names))).toEqual([
    "SEARCH email USING INDEX sqlite_autoindex_email_1 (id=?)",
    "SEARCH email USING INDEX sqlite_autoindex_email_1 (id=?)",
    "SEARCH email USING INDEX email_provider (provider_id=?)",
    "SEARCH email USING INDEX sqlite_autoindex_email_1 (id=?)",
  ])
})

test("reports are remembered and forgotten by indexes", async () => {
  expect(await plan((_, unit) => saveReceived(unit, "key"))).toEqual([])
  const lines = await plan((_, unit) => deleteOldReports(unit, 1, 10))
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toMatch(/^SEARCH report USING/)
})
