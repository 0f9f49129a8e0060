import { callsTo } from "./calls.ts"
import type { TestServer } from "./sandbox-server.ts"

/** Creates a record of each kind that has a page; resolves to the paths of these pages. */
export async function furnish(server: TestServer) {
  const calls = callsTo(server)
  await calls.post("/contacts", { email: "ada@acme.test", data: { plan: "pro", since: "2026-01-31" } })
  const { id: person } = await calls.contact("ada@acme.test")
  await calls.post("/events/track", { email: "ada@acme.test", event: "purchase", data: { total: 3 } })
  const condition = { logic: "AND", groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] }
  const { id: segment } = await calls.post("/segments", { name: "Pros", condition })
  const { id: list } = await calls.post("/segments", { name: "Press", type: "STATIC" })
  await calls.post(`/segments/${list}/members`, { emails: ["ada@acme.test"] })
  const { id: template } = await calls.addTemplate({})
  const campaign = {
    name: "June",
    subject: "News",
    body: '<p>Hello</p><a href="https://shop.test">Shop</a>',
    from: "hello@shop.test",
    audienceType: "ALL",
  }
  const { data: draft } = await calls.post("/campaigns", campaign)
  const { data: sent } = await calls.post("/campaigns", campaign)
  await calls.post(`/campaigns/${sent.id}/send`, {})
  const { id: domain } = await calls.post("/domains", { domain: "shop.test" })
  const { id: workflow, steps } = await calls.post("/workflows", { name: "Welcome", eventName: "signup" })
  const add = (type: string, name: string, config: unknown) =>
    calls.post(`/workflows/${workflow}/steps`, { type, name, config, autoConnect: false })
  const { id: plan } = await add("CONDITION", "Pro?", { field: "data.plan", operator: "equals", value: "pro" })
  const { id: rest } = await add("DELAY", "A day", { amount: 1, unit: "days" })
  await calls.post(`/workflows/${workflow}/transitions`, { fromStepId: steps[0].id, toStepId: plan })
  await calls.post(`/workflows/${workflow}/transitions`, { fromStepId: plan, toStepId: rest, branch: "yes" })
  await calls.patch(`/workflows/${workflow}`, { enabled: true })
  const { id: execution } = await calls.post(`/workflows/${workflow}/executions`, { contactId: person })
  const mail = await server.sendMail({ subject: "Receipt", attachments: [file] })
  return {
    mail: `/inbox/${mail}`,
    contact: `/contacts/${person}`,
    segment: `/segments/${segment}`,
    list: `/segments/${list}`,
    draft: `/campaigns/${draft.id}`,
    report: `/campaigns/${sent.id}`,
    workflow: `/workflows/${workflow}`,
    execution: `/workflows/${workflow}/executions/${execution}`,
    template: `/templates/${template}`,
    domain: `/domains/${domain}`,
  }
}

const file = { filename: "a.txt", contentType: "text/plain", content: "aGVsbG8=" }
