import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { day } from "../../src/kernel/clock.ts"
import { apiClient } from "../harness/api.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createTemplate } from "../harness/templates.ts"
import { createWorkflow, inRow, newScenario, steps, type TestWorkflow } from "../harness/workflows.ts"

let it: TestApp
let other: ReturnType<typeof apiClient>
beforeAll(async () => {
  it = await startTestApp()
  const project = await it.app.projects.create("Other")
  other = apiClient((request) => it.app.fetch(request, "127.0.0.1"), project)
})
afterAll(() => it.close())

const delay = (id: string, name: string) => ({ id, type: "DELAY", name, config: { amount: 1, unit: "hours" } })

async function workflowOfOther(): Promise<string> {
  return `/workflows/${(await other("POST /workflows", { body: { name: "Theirs", eventName: "x" } })).body.id}`
}

/** A workflow of the first project with a contact that has passed its mail and rests on its delay. */
async function passed() {
  const { start, track, K } = await newScenario(it)
  const flow = await start(inRow(steps.mail("R"), steps.delay(1, "days")))
  await track("s")
  const { data } = (await it.api(`GET /workflows/${flow.id}/executions`)).body
  return { flow, K, execution: data[0].id as string }
}

describe("ids of another project", () => {
  test("lead nowhere, in paths and in bodies", async () => {
    const { flow, K, execution } = await passed()
    const theirs = await workflowOfOther()
    const { id: template } = await createTemplate(it, {})
    const { body: mine } = await it.api(`GET /workflows/${flow.id}`)
    const stepId = flow.ids.get("R")
    const transitionId = mine.transitions[0].id
    const graph = { version: 1, steps: [{ id: "t", type: "TRIGGER", name: "T" }], transitions: [] }
    const wait = { type: "DELAY", name: "W", config: { amount: 1, unit: "hours" } }
    const mail = { id: "m", type: "SEND_EMAIL", name: "M", config: { templateId: template } }
    const calls: [string, object | undefined, number][] = [
      [`GET /workflows/${flow.id}`, undefined, 404],
      [`PATCH /workflows/${flow.id}`, { name: "x" }, 404],
      [`DELETE /workflows/${flow.id}`, undefined, 404],
      [`POST /workflows/${flow.id}/steps`, wait, 404],
      [`PATCH /workflows/${flow.id}/steps/${stepId}`, { name: "x" }, 404],
      [`DELETE /workflows/${flow.id}/steps/${stepId}`, undefined, 404],
      [`PATCH ${theirs}/steps/${stepId}`, { name: "x" }, 404],
      [`DELETE ${theirs}/steps/${stepId}`, undefined, 404],
      [`POST ${theirs}/transitions`, { fromStepId: stepId, toStepId: flow.ids.get("D") }, 404],
      [`DELETE ${theirs}/transitions/${transitionId}`, undefined, 404],
      [`DELETE /workflows/${flow.id}/transitions/${transitionId}`, undefined, 404],
      [`PUT /workflows/${flow.id}/graph`, graph, 404],
      [`PUT /workflows/${flow.id}/draft`, graph, 404],
      [`GET /workflows/${flow.id}/draft`, undefined, 404],
      [`POST /workflows/${flow.id}/publish`, { version: 1 }, 404],
      [`POST /workflows/${flow.id}/draft/discard`, undefined, 404],
      [`GET /workflows/${flow.id}/versions`, undefined, 404],
      [`POST /workflows/${flow.id}/versions/1/restore`, {}, 404],
      [`GET /workflows/${flow.id}/audience-preview`, undefined, 404],
      [`GET /workflows/${flow.id}/flow`, undefined, 404],
      [`POST /workflows/${flow.id}/simulate`, {}, 404],
      [`GET /workflows/${flow.id}/executions`, undefined, 404],
      [`GET /workflows/${flow.id}/executions/${execution}`, undefined, 404],
      [`GET ${theirs}/executions/${execution}`, undefined, 404],
      [`DELETE ${theirs}/executions/${execution}`, undefined, 404],
      [`POST /workflows/${flow.id}/executions`, { contactId: K.id }, 404],
      [`POST ${theirs}/executions`, { contactId: K.id }, 404],
      [`POST /workflows/${flow.id}/executions/cancel-all`, undefined, 404],
      [`POST ${theirs}/simulate`, { contactId: K.id }, 404],
      [`POST ${theirs}/steps`, { ...mail, id: undefined }, 404],
      [`PUT ${theirs}/graph`, { ...graph, steps: [...graph.steps, mail] }, 422],
      [`POST ${theirs}/simulate`, { graph: { ...graph, steps: [...graph.steps, mail] } }, 422],
      [`GET /contacts/${K.id}/workflows`, undefined, 404],
    ]
    const answers = []
    for (const [route, body] of calls) answers.push([route, (await other(route as "GET /", { body })).status])
    expect(answers).toEqual(calls.map(([route, , status]) => [route, status]))
    for (const query of [`contactId=${K.id}`, `stepId=${stepId}`, "stepId=x", "contactId=x"])
      expect((await other(`GET ${theirs}/executions?${query}` as "GET /")).body.data).toEqual([])
    expect((await it.api(`GET /workflows/${flow.id}`)).body).toEqual(mine)
  })

  test("stay theirs: an event of theirs starts no workflow here, though its name and its address are the same", async () => {
    const { start, track, own, K } = await newScenario(it)
    const flow = await start(steps.mail("R"))
    const body = { name: "Theirs", eventName: own("s") }
    const theirs = `/workflows/${(await other("POST /workflows", { body })).body.id}`
    await other(`PATCH ${theirs}`, { body: { enabled: true } })
    await other("POST /v1/track", { body: { event: own("s"), email: K.email } })
    await track("s")
    const executions = [await it.api(`GET /workflows/${flow.id}/executions`), await other(`GET ${theirs}/executions`)]
    expect(executions.map(({ body }) => body.total)).toEqual([1, 1])
    expect(executions.map(({ body }) => body.data[0].contactId === K.id)).toEqual([true, false])
  })

  test("do not become those of steps while records of others name them", async () => {
    const { flow, execution } = await passed()
    const [mail, rest] = [flow.ids.get("R") ?? "", flow.ids.get("D") ?? ""]
    expect((await it.api(`DELETE /workflows/${flow.id}/steps/${mail}`)).status).toBe(204)
    const theirs = await workflowOfOther()
    const graph = {
      version: 1,
      steps: [{ id: "t", type: "TRIGGER", name: "T" }, delay(mail, "Spy"), delay(rest, "Spy")],
      transitions: [],
    }
    const { status, body } = await other(`PUT ${theirs}/graph`, { body: graph })
    expect([status, Object.keys(body.ids).toSorted()]).toEqual([200, ["t", mail, rest].toSorted()])
    expect((await other(`GET ${theirs}/flow`)).body).toEqual({ standing: [], passed: [] })
    const { stepExecutions } = (await it.api(`GET /workflows/${flow.id}/executions/${execution}`)).body
    expect(stepExecutions.map(({ step }: { step: { name: string } }) => step.name)).toEqual(["Trigger", "R", "D"])
  })
})

describe("GET /workflows/{id}/flow (contract B5.2.25)", () => {
  const passedOf = async ({ id }: TestWorkflow) => (await it.api(`GET /workflows/${id}/flow`)).body.passed

  test("counts a wait that ends by time at the exit that it leads through", async () => {
    const { track, at, own } = await newScenario(it)
    const plain = await createWorkflow(it, own("s"), steps.wait(own("buy"), 60, { "": steps.mail("R") }))
    const both = await createWorkflow(
      it,
      own("s"),
      steps.wait(own("buy"), 60, { "": steps.mail("R"), timeout: steps.mail("M") }),
    )
    await track("s")
    await at(3_600_000)
    const count = (flow: TestWorkflow, branch: string | null) => ({
      stepId: flow.ids.get("W"),
      branch,
      last7Days: 1,
      last30Days: 1,
    })
    expect(await passedOf(plain)).toContainEqual(count(plain, null))
    expect(await passedOf(both)).toContainEqual(count(both, "timeout"))
  })

  test("counts a contact on the day on which it leaves a step, however long it has rested there", async () => {
    const { start, track, at } = await newScenario(it)
    const flow = await start(inRow(steps.delay(40, "days"), steps.mail("R")))
    await track("s")
    await at(40 * day)
    const passed = await passedOf(flow)
    const counts = (label: string) => passed.find(({ stepId }: { stepId: string }) => stepId === flow.ids.get(label))
    expect(counts("D")).toEqual({ stepId: flow.ids.get("D"), branch: null, last7Days: 1, last30Days: 1 })
    expect(counts("R")).toMatchObject({ last7Days: 1, last30Days: 1 })
    expect(counts("T")).toBeUndefined()
  })
})
