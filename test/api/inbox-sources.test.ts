import { expect, test } from "bun:test"
import { startTestApp } from "../harness/app.ts"
import { startCampaign } from "../harness/campaigns.ts"

const mail = { subject: "Hello", body: "<p>Hello</p>", from: "hi@shop.test" }

test.each(["TRANSACTIONAL", "HEADLESS", "MARKETING"])(
  "Mail of type %s keeps its source when its campaign or workflow is deleted (contract A4.6)",
  async (type) => {
    const it = await startTestApp({ mode: "sandbox" })
    const { id: contactId } = (await it.api("POST /contacts", { body: { email: "ada@example.com" } })).body
    const { id: templateId } = (await it.api("POST /templates", { body: { ...mail, name: "Hello", type } })).body
    await it.api("POST /v1/send", { body: { to: "ada@example.com", template: templateId } })
    const workflow = (await it.api("POST /workflows", { body: { name: "Hello", eventName: "hello" } })).body.id
    const step = { type: "SEND_EMAIL", name: "Send", templateId }
    await it.api(`POST /workflows/${workflow}/steps`, { body: step })
    await it.api(`PATCH /workflows/${workflow}`, { body: { enabled: true } })
    await it.settle()
    await it.api(`POST /workflows/${workflow}/executions`, { body: { contactId } })
    await it.settle()
    const campaign = await startCampaign(it, { type })
    await it.settle()

    const sources = async () => (await it.api("GET /inbox")).body.data.map(({ source }: { source: string }) => source)
    const found = async (source: string) => (await it.api(`GET /inbox?source=${source}`)).body.total
    expect(await sources()).toEqual(["CAMPAIGN", "WORKFLOW", "API"])
    expect((await it.api(`DELETE /campaigns/${campaign}`)).status).toBe(200)
    expect((await it.api(`DELETE /workflows/${workflow}`)).status).toBe(204)
    await it.settle()
    expect(await sources()).toEqual(["CAMPAIGN", "WORKFLOW", "API"])
    expect(await Promise.all(["CAMPAIGN", "WORKFLOW", "API", "SMTP"].map(found))).toEqual([1, 1, 1, 0])
    await it.close()
  },
)
