import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type Item, typesOf, walkFeed } from "../harness/activity.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createCampaign, sendCampaign } from "../harness/campaigns.ts"
import { createWorkflow, inRow, steps, type TestWorkflow } from "../harness/workflows.ts"

const ada = "ada@example.com"
const hour = 3_600_000

const upcomingIn = async (it: TestApp, query = ""): Promise<Item[]> =>
  (await it.api(`GET /activity/upcoming${query}`)).body.activities

describe("activity of workflows (contract B7.1)", () => {
  let it: TestApp
  let flow: TestWorkflow
  let contact: string
  let execution: string
  let startedAt: number
  beforeAll(async () => {
    it = await startTestApp()
    flow = await createWorkflow(
      it,
      "signup",
      inRow(steps.mail("R"), steps.delay(2, "hours"), steps.mail("R2"), steps.wait("purchase", 60), steps.exit("over")),
    )
    contact = (await it.api("POST /v1/track", { body: { email: ada, event: "signup" } })).body.data.contact
    await it.settle()
    startedAt = it.clock.now()
    execution = (await it.api(`GET /workflows/${flow.id}/executions`)).body.data[0].id
  })
  afterAll(() => it.close())
  const only = async (type: string) => (await walkFeed(it, 3, `&types=${type}`)).items
  const metadata = () => ({ workflowId: flow.id, workflowName: "On signup", executionId: execution })

  test("a start, with its contact (contract B7.1.5)", async () => {
    expect(await only("workflow.started")).toEqual([
      {
        id: `${execution}_started`,
        type: "workflow.started",
        timestamp: new Date(startedAt).toISOString(),
        contactId: contact,
        contactEmail: ada,
        metadata: { ...metadata(), status: "WAITING", exitReason: null },
      },
    ])
    expect(await only("workflow.completed")).toEqual([])
  })

  test("a mail names its workflow (contract B7.1.1)", async () => {
    expect((await only("email.sent"))[0]?.metadata).toMatchObject({
      subject: "R",
      workflowId: flow.id,
      workflowName: "On signup",
      campaignId: null,
    })
  })

  test("the figures have the starts (contract B7.1.6)", async () => {
    const started = async (query = "") => (await it.api(`GET /activity/stats${query}`)).body.totalWorkflowsStarted
    expect(await started()).toBe(1)
    expect(await started(`?startDate=${new Date(startedAt + 1).toISOString()}`)).toBe(0)
  })

  test("a rest before a mail is a mail to come; a wait for an event has its timeout (contract B7.1.9)", async () => {
    const [rest, ...others] = await upcomingIn(it)
    expect(others).toEqual([])
    const { body } = await it.api(`GET /workflows/${flow.id}/executions/${execution}`)
    const open = body.stepExecutions.at(-1)
    expect(rest).toEqual({
      id: `${open.id}_scheduled`,
      type: "workflow.email.scheduled",
      timestamp: new Date(startedAt + 2 * hour).toISOString(),
      contactId: contact,
      contactEmail: ada,
      metadata: { ...metadata(), status: "WAITING", exitReason: null, stepId: flow.ids.get("D"), stepName: "D" },
    })
    await it.advance({ hours: 2 })
    expect(await upcomingIn(it)).toMatchObject([
      {
        type: "workflow.waiting",
        timestamp: new Date(startedAt + 3 * hour).toISOString(),
        metadata: { stepId: flow.ids.get("W"), stepName: "W" },
      },
    ])
  })

  test("campaigns and workflows are in one order, up to the limit and the last day (contract B7.1.9)", async () => {
    const { id } = await createCampaign(it)
    await sendCampaign(it, id, new Date(it.clock.now() + hour / 2).toISOString())
    const later = await createCampaign(it)
    await sendCampaign(it, later.id, new Date(it.clock.now() + 2 * hour).toISOString())
    const types = ["campaign.scheduled", "workflow.waiting", "campaign.scheduled"]
    expect(typesOf(await upcomingIn(it))).toEqual(types)
    expect(typesOf(await upcomingIn(it, "?limit=2"))).toEqual(types.slice(0, 2))
    await createWorkflow(it, "trial", inRow(steps.delay(3, "days"), steps.exit()))
    await it.api("POST /v1/track", { body: { email: ada, event: "trial" } })
    await it.settle()
    expect(typesOf(await upcomingIn(it, "?daysAhead=2"))).toEqual(types)
    expect(typesOf(await upcomingIn(it, "?daysAhead=4"))).toEqual([...types, "workflow.waiting"])
  })

  test("an end of any kind (contract B7.1.5)", async () => {
    await it.advance({ hours: 1 })
    expect(await only("workflow.completed")).toMatchObject([
      {
        id: `${execution}_completed`,
        timestamp: new Date(startedAt + 3 * hour).toISOString(),
        contactId: contact,
        metadata: { ...metadata(), status: "EXITED", exitReason: "over" },
      },
    ])
    const [trial] = (await upcomingIn(it)).filter(({ type }) => type === "workflow.waiting")
    const { workflowId, executionId } = trial?.metadata ?? {}
    await it.api(`DELETE /workflows/${workflowId}/executions/${executionId}`)
    const [latest] = await only("workflow.completed")
    expect(latest?.metadata).toMatchObject({ executionId, status: "CANCELLED", exitReason: "cancelled" })
    expect(typesOf(await upcomingIn(it))).not.toContain("workflow.waiting")
  })

  test("the feed of a contact has its executions; another contact has none of them", async () => {
    const ofContact = (id: string) => walkFeed(it, 2, `&contactId=${id}&types=workflow.started,workflow.completed`)
    const { items, total } = await ofContact(contact)
    expect(typesOf(items).sort()).toEqual([
      "workflow.completed",
      "workflow.completed",
      "workflow.started",
      "workflow.started",
    ])
    expect(total).toBe(4)
    const { body: other } = await it.api("POST /contacts", { body: { email: "bob@example.com" } })
    expect((await ofContact(other.id)).items).toEqual([])
  })

  test("another project sees nothing of it", async () => {
    const { secret } = await it.app.projects.create("Other")
    const { body } = await it.api("GET /activity?types=workflow.started,workflow.completed", { key: secret })
    expect(body).toEqual({ data: [], hasMore: false, total: 0 })
    expect((await it.api("GET /activity/upcoming", { key: secret })).body.activities).toEqual([])
  })

  test("the executions of a deleted workflow leave the feed; their mails stay and name no workflow", async () => {
    await it.api(`DELETE /workflows/${flow.id}`)
    await it.settle()
    const left = await walkFeed(it, 3, "&types=workflow.started,workflow.completed")
    expect(left.items.map(({ metadata }) => metadata.workflowName)).toEqual(["On trial", "On trial"])
    expect(left.total).toBe(2)
    const mails = (await only("email.sent")).filter(({ metadata }) => String(metadata.subject).startsWith("R"))
    expect(mails.map(({ metadata }) => [metadata.workflowId, metadata.workflowName])).toEqual([
      [null, null],
      [null, null],
    ])
    expect((await it.api("GET /activity/stats")).body.totalWorkflowsStarted).toBe(1)
  })
})
