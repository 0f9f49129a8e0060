import { expect, test } from "bun:test"
import { nextCallAt, nextCallLapseAt } from "../../src/modules/workflows/engine/call-store.ts"
import { listExecutions } from "../../src/modules/workflows/executions/store.ts"
import { listStepsSendingFrom, listStepsWithTemplate } from "../../src/modules/workflows/store.ts"
import { queryPlans } from "../harness/plans.ts"

const { plan } = queryPlans(/^USE TEMP B-TREE/)

test("the next request of WEBHOOK steps is the first entry of an index", async () => {
  expect(await plan((db) => nextCallAt(db))).toEqual(["SEARCH workflow_call USING INDEX workflow_call_next"])
  expect(await plan((db) => nextCallLapseAt(db))).toEqual([
    "SEARCH workflow_call USING COVERING INDEX workflow_call_leased (lease_until>?)",
  ])
})

test("the steps that send a template, or from a domain, are found by the template", async () => {
  for (const lines of [
    await plan((db) => listStepsWithTemplate(db, "a", "b")),
    await plan((db) => listStepsSendingFrom(db, "a", "acme.test")),
  ]) {
    expect(lines.join("\n")).toContain("SEARCH workflow_step USING INDEX workflow_step_template (template_id=?)")
    for (const line of lines) expect(line).toStartWith("SEARCH")
  }
})

test("of a list of executions the event loop reads those of the page only, not those before it", async () => {
  const paging = { page: 1_000, pageSize: 2, offset: 1_998 }
  const places = [{ id: "a" }, { id: "b" }]
  const lines = await plan((read) =>
    listExecutions(
      { read, readPool: { read: async () => places } as never },
      { id: "a", projectId: "b" },
      { status: "COMPLETED" },
      paging,
    ),
  )
  expect(lines[0]).toMatch(/^SEARCH workflow_execution USING INDEX sqlite_autoindex_workflow_execution_1 \(id=\?\)$/)
})
