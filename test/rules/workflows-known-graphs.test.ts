import { afterAll, beforeAll, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { committed, createGraphs } from "../../src/modules/workflows/engine/graphs.ts"
import { findWorkflowById } from "../../src/modules/workflows/engine/store.ts"
import { stepTable, type Workflow } from "../../src/modules/workflows/table.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createWorkflow, steps } from "../harness/workflows.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

test("a graph that a rolled back unit has read is read again", async () => {
  const { id, ids } = await createWorkflow(it, "bought", steps.exit())
  const graphs = createGraphs()
  const { store } = it.app
  const workflow = (await findWorkflowById(store.read, id)) as Workflow
  const exit = ids.get("X") ?? ""
  const nameOf = async (reader: Parameters<typeof graphs>[0]) =>
    (await graphs(reader, workflow)).nodes.get(exit)?.step.name
  const failed = store.write(it.project.id, async (unit) => {
    await unit.db.update(stepTable).set({ name: "Never stored" }).where(eq(stepTable.id, exit))
    throw new Error(await nameOf(unit))
  })
  expect(await failed.catch((cause) => cause.message)).toBe("Never stored")
  expect(await nameOf(committed(store.read))).toBe("X")
})
