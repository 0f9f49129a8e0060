import { afterAll, beforeAll, expect, test } from "bun:test"
import { apiSource, type EmailSource, systemSource } from "../../src/modules/emails/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { accept, fromCampaign, fromWorkflow } from "../harness/mails.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

test.each<[EmailSource, "MARKETING" | "TRANSACTIONAL", object]>([
  [fromCampaign, "MARKETING", { sourceType: "CAMPAIGN", campaignId: fromCampaign.id, workflowExecutionId: null }],
  [
    fromCampaign,
    "TRANSACTIONAL",
    { sourceType: "TRANSACTIONAL", campaignId: fromCampaign.id, workflowExecutionId: null },
  ],
  [fromWorkflow, "MARKETING", { sourceType: "WORKFLOW", campaignId: null, workflowExecutionId: fromWorkflow.id }],
  [
    fromWorkflow,
    "TRANSACTIONAL",
    { sourceType: "TRANSACTIONAL", campaignId: null, workflowExecutionId: fromWorkflow.id },
  ],
  [apiSource, "MARKETING", { sourceType: "TRANSACTIONAL", campaignId: null, workflowExecutionId: null }],
  [systemSource, "TRANSACTIONAL", { sourceType: "TRANSACTIONAL", campaignId: null, workflowExecutionId: null }],
])(
  "mail from %j of type %s is sent, and its record names its source (contract A4.5.3)",
  async (source, type, expected) => {
    const [id] = await accept(it, { source, type }, "ada@example.com")
    await it.settle()
    expect((await it.api(`GET /emails/${id}`)).body).toMatchObject({ ...expected, type, status: "SENT" })
    expect(it.sent().map((message) => message.id)).toContain(id ?? "")
  },
)
