import { expect, test } from "bun:test"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { emailTextTable } from "../../src/modules/emails/table.ts"
import { eventTable } from "../../src/modules/events/table.ts"
import { inboxTextTable } from "../../src/modules/inbox/table.ts"
import { requestTable } from "../../src/modules/requests/table.ts"
import { executionTable } from "../../src/modules/workflows/table.ts"
import { deleteSome } from "../../src/store/delete-some.ts"
import { queryPlans } from "../harness/plans.ts"

const { plan } = queryPlans(/^LIST SUBQUERY/)

test.each([
  ["contact", contactTable],
  ["email_text", emailTextTable],
  ["event", eventTable],
  ["inbox_text", inboxTextTable],
  ["request", requestTable],
  ["workflow_execution", executionTable],
] as const)("some rows of %s are found in an index of its projects, and deleted one by one", async (name, table) => {
  const lines = await plan((_, unit) => deleteSome(unit, table, "p", 100))
  expect(lines[0]).toBe(`SEARCH ${name} USING INTEGER PRIMARY KEY (rowid=?)`)
  expect(lines[1]).toMatch(new RegExp(`^SEARCH ${name} USING (?:COVERING )?INDEX \\w+ \\(project_id=\\?\\)$`))
  expect(lines).toHaveLength(2)
})
