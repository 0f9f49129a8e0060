import { expect, test } from "bun:test"
import { listSendingFrom } from "../../src/modules/campaigns/store.ts"
import { listCallsOfOthers, nextCallAt, nextCallLapseAt } from "../../src/modules/workflows/engine/call-store.ts"
import { listDue, listDueOf } from "../../src/modules/workflows/engine/due-store.ts"
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

test("the requests beside those of a step are found by the other steps, however many are due of that step", async () => {
  const lines = await plan((db) => listCallsOfOthers(db, "a", ["b"], { now: 1, limit: 1 }))
  expect(lines[0]).toMatch(/^SEARCH workflow_call USING INDEX sqlite_autoindex_workflow_call_\d+ \(id=\?\)$/)
  expect(lines.join("\n")).toContain("USING INDEX workflow_step_execution_completed (step_id=? AND completed_at=?)")
  for (const line of lines) expect(line).not.toStartWith("SCAN")
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

test("planned and running campaigns that are sent from a domain are found among those, however many others there are", async () => {
  const lines = await plan((db) => listSendingFrom(db, "a", "acme.test"))
  expect(lines).toEqual(["SEARCH campaign USING INDEX campaign_status (status=?)"])
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

test("executions that are due are found in the order of their times, those of a project among many by the project", async () => {
  const times = { now: 2, seenUntil: 1 }
  const due = "SEARCH workflow_execution USING INDEX workflow_execution_due (due_at>? AND due_at<?)"
  const planned = "workflow_execution_planned (project_id=? AND status=? AND due_at>? AND due_at<?)"
  expect(await plan((db) => listDue(db, times, 1))).toEqual([due])
  expect(await plan((db) => listDue(db, times, 0))).toContain(
    `SEARCH workflow_execution EXISTS USING COVERING INDEX ${planned}`,
  )
  const ofProject = await plan((db) => listDueOf(db, { ...times, projectId: "a", limit: 1 }))
  expect(ofProject).toEqual(Array(2).fill(`SEARCH workflow_execution USING INDEX ${planned}`))
})
