import { expect } from "bun:test"
import type { TestApp } from "./app.ts"
import { imageOf, uploadImage } from "./images.ts"
import { pathsIn } from "./tracking.ts"

export interface Keys {
  readonly id: string
  readonly secret: string
}

/** Creates some of everything that a project can have, waiting and finished. */
export async function fillProject(it: TestApp, { id, secret }: Keys, domain: string): Promise<void> {
  await it.app.domains.add(id, domain, { vouched: true }).catch(() => {})
  const call = async (route: string, body?: unknown, headers = {}) => {
    const answer = await it.api(route, { key: secret, ...(body === undefined ? {} : { body }), headers })
    expect([route, answer.status < 300, answer.status < 300 ? "" : answer.body]).toEqual([route, true, ""])
    return answer.body
  }
  const from = `hi@${domain}`
  const ada = await call("POST /contacts", { email: "ada@example.com", data: { plan: "pro", city: "Oslo" } })
  await call("POST /contacts", { email: "bo@example.com", data: { plan: "free" } })
  await call(
    "POST /v1/send",
    {
      to: "ada@example.com",
      from,
      subject: "Hello",
      body: '<p><a href="https://example.com/x">Link</a></p>',
      attachments: [{ filename: "a.txt", contentType: "text/plain", content: btoa(`a file of ${domain}`) }],
    },
    { "Idempotency-Key": "order-1" },
  )
  const body = '<p><a href="https://example.com/news">News</a></p>'
  const mail = { name: "News", subject: "News", body, from }
  const template = await call("POST /templates", { ...mail, type: "MARKETING" })
  await call(`PUT /templates/${template.id}/sample`, { data: { name: "Ada" } })
  await startWorkflow(call)
  await call("POST /events/track", { email: "ada@example.com", event: "signed-up" })
  const condition = { logic: "AND", groups: [{ filters: [{ field: "data.plan", operator: "equals", value: "pro" }] }] }
  await call("POST /segments", { name: "Pro", type: "DYNAMIC", condition, trackMembership: true })
  const sent = await call("POST /campaigns", { ...mail, audienceType: "ALL" })
  const later = await call("POST /campaigns", { ...mail, audienceType: "ALL" })
  const [sentId, laterId] = [sent, later].map((one) => one.data?.id ?? one.id)
  await call(`POST /campaigns/${sentId}/send`, {})
  const scheduledFor = new Date(it.clock.now() + 86_400_000).toISOString()
  await call(`POST /campaigns/${laterId}/send`, { scheduledFor })
  const form = new FormData()
  form.set("file", new File(["email,plan\nimported@example.com,pro\nwrong,x\n"], "people.csv", { type: "text/csv" }))
  const upload = await it.api("POST /contacts/import", { key: secret, raw: form })
  expect(upload.status).toBe(202)
  const image = await uploadImage(it, await imageOf("png", domain.length), { key: secret })
  expect(image.status).toBe(200)
  await call("POST /contacts/bulk-unsubscribe", { contactIds: [ada.data?.id ?? ada.id] })
  await it.settle()
  const hits = it.sent().flatMap(({ projectId, html }) => (projectId === id ? pathsIn(html, "t/[oc]") : []))
  for (const path of hits) await it.api(`GET ${path}`)
  const { data } = await call("GET /inbox")
  await call("POST /inbox/read", { upTo: data.at(-1).id })
  await call("POST /inbox/marks", { id: data[0].id, read: true })
}

/** A workflow that was published once more and has another draft; its contacts wait three days at a step. */
// biome-ignore lint/suspicious/noExplicitAny: tests access responses freely
async function startWorkflow(call: (route: string, body?: unknown) => Promise<any>): Promise<void> {
  const { id, steps } = await call("POST /workflows", { name: "Welcome", eventName: "signed-up" })
  const delay = await call(`POST /workflows/${id}/steps`, {
    type: "DELAY",
    name: "Wait",
    config: { amount: 3, unit: "days" },
    autoConnect: false,
  })
  await call(`POST /workflows/${id}/transitions`, { fromStepId: steps[0].id, toStepId: delay.id })
  await call(`PATCH /workflows/${id}`, { enabled: true })
  const { steps: all, transitions } = await call(`GET /workflows/${id}`)
  const redraft = (amount: number) => {
    const changed = all.map((step: { id: string }) =>
      step.id === delay.id ? { ...step, config: { amount, unit: "days" } } : step,
    )
    return call(`PUT /workflows/${id}/draft`, { steps: changed, transitions })
  }
  const { version } = await redraft(2)
  await call(`POST /workflows/${id}/publish`, { version })
  await redraft(1)
}
