import { expect, test } from "bun:test"
import { nextCallAt, nextCallLapseAt } from "../../src/modules/workflows/engine/call-store.ts"
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
