import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { rejected, sent } from "../../src/mail/transport.ts"
import { createTemplateEmails } from "../../src/modules/emails/index.ts"
import type { ApiAnswer } from "../harness/api.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { countEffects, gained } from "../harness/scenarios.ts"
import { createTemplate, templatesIn } from "../harness/templates.ts"

const unknown = "0199c0de-0000-7000-8000-0000000fffff"
const full = { description: "For newcomers.", fromName: "Shop", replyTo: "help@example.com", type: "TRANSACTIONAL" }

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const send = async (template: string, to: string | string[] = "ada@example.com"): Promise<string[]> => {
  const { status, body } = await it.api("POST /v1/send", { body: { to, template } })
  expect(status).toBe(200)
  return body.data.emails.map(({ email }: { email: string }) => email)
}
const usage = async (id: string) => (await it.api(`GET /templates/${id}/usage`)).body

describe("Every endpoint of one template", () => {
  const routes = (id: string): [string, object?][] => [
    [`GET /templates/${id}`],
    [`PATCH /templates/${id}`, { name: "Renamed" }],
    [`DELETE /templates/${id}`],
    [`POST /templates/${id}/duplicate`],
    [`GET /templates/${id}/usage`],
    [`POST /templates/${id}/preview`, {}],
    [`GET /templates/${id}/sample`],
    [`PUT /templates/${id}/sample`, { data: { a: 1 } }],
  ]

  test.each([unknown, "x", "0199c0de", "%20", "preview"])("answers 404 for the id %s (contract A1.1.2)", async (id) => {
    for (const [route, body] of routes(id)) {
      const answer = await it.api(route, body ? { body } : {})
      expect([route, answer.status, answer.body.error.code]).toEqual([route, 404, "TEMPLATE_NOT_FOUND"])
      expect(answer.body.error.details).toEqual({ resource: "Template", id: decodeURIComponent(id) })
    }
  })

  test("answers 404 for a template of another project, which is unchanged (contract A1.1.2)", async () => {
    const other = await it.app.projects.create("Other")
    const template = await createTemplate(it)
    const before = await templatesIn(it)
    for (const [route, body] of routes(template.id)) {
      const answer = await it.api(route, { key: other.secret, ...(body ? { body } : {}) })
      expect([route, answer.status, answer.body.error.code]).toEqual([route, 404, "TEMPLATE_NOT_FOUND"])
    }
    expect((await it.api(`GET /templates/${template.id}`)).body).toEqual(template)
    expect(await templatesIn(it)).toBe(before)
  })

  test("requires a secret key (contract A1.5)", async () => {
    const { id } = await createTemplate(it)
    for (const key of ["none", "pk"])
      for (const [route, body] of routes(id)) {
        const answer = await it.api(route, { key, ...(body ? { body } : {}) })
        expect([route, answer.status, answer.body.error.code]).toEqual([route, 401, "INVALID_API_KEY"])
      }
  })

  test("accepts the id in any case, and a trailing slash (contract A1.1.1, A1.2.5)", async () => {
    const { id } = await createTemplate(it)
    expect((await it.api(`GET /templates/${id.toUpperCase()}/`)).body.id).toBe(id)
    expect((await it.api(`GET /templates/${id.toUpperCase()}/usage`)).status).toBe(200)
  })
})

describe("DELETE /templates/{id} (contract A6.5)", () => {
  test("answers 204 without a body, once", async () => {
    const { id } = await createTemplate(it)
    const first = await it.api(`DELETE /templates/${id}`)
    expect([first.status, first.body]).toEqual([204, undefined])
    expect((await it.api(`GET /templates/${id}`)).status).toBe(404)
    expect((await it.api(`DELETE /templates/${id}`)).status).toBe(404)
  })

  test("keeps its emails, also waiting ones, with templateId null", async () => {
    const { id } = await createTemplate(it, { ...full, body: "<p>Kept {{email}}</p>" })
    const [left] = await send(id)
    await it.settle()
    const [waiting] = await send(id, "bo@example.com")
    const before = await countEffects(it)
    expect((await it.api(`DELETE /templates/${id}`)).status).toBe(204)
    expect(gained(before, await countEffects(it))).toEqual({ events: {}, mails: 0, contacts: 0 })
    for (const [email, status] of [
      [left, "SENT"],
      [waiting, "PENDING"],
    ]) {
      const { body } = await it.api(`GET /emails/${email}`)
      expect([body.templateId, body.status]).toEqual([null, status])
      expect(body.html).toContain("<p>Kept ")
    }
    await it.settle()
    expect(it.sent().at(-1)?.html).toContain("<p>Kept bo@example.com</p>")
  })

  test("does not affect the emails of other templates", async () => {
    const [kept, gone] = [await createTemplate(it, full), await createTemplate(it, full)]
    const [email] = await send(kept.id)
    await it.api(`DELETE /templates/${gone.id}`)
    expect((await it.api(`GET /emails/${email}`)).body.templateId).toBe(kept.id)
  })

  test("works for thousands of emails", async () => {
    const { id } = await createTemplate(it, full)
    const to = Array.from({ length: 1_000 }, (_, at) => `to${at}@example.com`)
    for (let round = 0; round < 5; round++) await send(id, to)
    const listed = async () => (await it.api(`GET /emails?templateId=${id}`)).body.total
    expect(await listed()).toBe(5_000)
    await it.settle()
    expect((await usage(id)).emailsSent).toBe(5_000)
    // At most one slice is left for the unit of the deletion.
    await createTemplateEmails(it.app).releaseEmails(it.project.id, id)
    expect(await listed()).toBe(1_000)
    const before = await countEffects(it)
    expect((await it.api(`DELETE /templates/${id}`)).status).toBe(204)
    expect(await listed()).toBe(0)
    expect(gained(before, await countEffects(it)).mails).toBe(0)
  })

  test("concurrent with a request that sends by the template: each succeeds or is refused", async () => {
    const after = async (turns: number, steps: number, call: () => Promise<ApiAnswer>) => {
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
      for (let step = 0; step < steps; step++) await Promise.resolve()
      return call()
    }
    for (let round = 0; round < 120; round++) {
      const { id } = await createTemplate(it, full)
      const body = { to: "ada@example.com", template: id }
      const [deletion, sending] = await Promise.all([
        after(round % 6, round % 40, () => it.api(`DELETE /templates/${id}`)),
        after(round % 7, round % 31, () => it.api("POST /v1/send", { body })),
      ])
      expect(deletion.status).toBe(204)
      expect([200, 404]).toContain(sending.status)
    }
    expect(it.complaints).toEqual([])
  })
})

describe("POST /templates/{id}/duplicate (contract A6.6)", () => {
  test("answers 201 with the whole new template, which differs in id, name and times", async () => {
    const template = await createTemplate(it, full)
    await it.advance({ seconds: 1 })
    const now = new Date(it.clock.now()).toISOString()
    const { status, body } = await it.api(`POST /templates/${template.id}/duplicate`)
    expect(status).toBe(201)
    expect(body).toEqual({
      ...template,
      id: expect.any(String),
      name: "Welcome (Copy)",
      createdAt: now,
      updatedAt: now,
    })
    expect(body.id).not.toBe(template.id)
    expect((await it.api(`GET /templates/${body.id}`)).body).toEqual(body)
    expect((await it.api(`GET /templates/${template.id}`)).body).toEqual(template)
  })

  test("makes an independent copy, which can be found, changed and deleted", async () => {
    const template = await createTemplate(it, { ...full, name: "Solitary" })
    const { body: copy } = await it.api(`POST /templates/${template.id}/duplicate`)
    const { body: second } = await it.api(`POST /templates/${copy.id}/duplicate`, { body: { name: "ignored" } })
    expect(second.name).toBe("Solitary (Copy) (Copy)")
    expect((await it.api("GET /templates?search=SOLITARY%20(copy)")).body.total).toBe(2)
    const long = await createTemplate(it, { ...full, name: `${"💌".repeat(250)}tail` })
    const { body: cut } = await it.api(`POST /templates/${long.id}/duplicate`)
    expect(cut.name).toBe(`${"💌".repeat(248)} (Copy)`)
    await it.api(`PATCH /templates/${copy.id}`, { body: { subject: "Other" } })
    await it.api(`DELETE /templates/${second.id}`)
    expect((await it.api(`GET /templates/${template.id}`)).body).toEqual(template)
  })

  test("does not copy the template's emails", async () => {
    const { id } = await createTemplate(it, full)
    await send(id)
    await it.settle()
    const { body: copy } = await it.api(`POST /templates/${id}/duplicate`)
    expect([(await usage(id)).emailsSent, (await usage(copy.id)).emailsSent]).toEqual([1, 0])
  })
})

describe("GET /templates/{id}/usage (contract A6.7)", () => {
  test("of a new template is zero", async () => {
    const { id } = await createTemplate(it)
    expect(await usage(id)).toEqual({ campaigns: [], workflowSteps: [], emailsSent: 0 })
  })

  test("counts emails that reached SENT, and no others", async () => {
    const { id } = await createTemplate(it, full)
    await send(id, ["a@example.com", "b@example.com", "c@example.com"])
    expect((await usage(id)).emailsSent).toBe(0)
    await it.settle()
    expect((await usage(id)).emailsSent).toBe(3)
    it.transport.answer = () => rejected("no")
    await send(id, "d@example.com")
    await it.settle()
    it.transport.answer = () => sent(null)
    expect((await usage(id)).emailsSent).toBe(3)
  })

  test("still counts a message after SENT", async () => {
    const { id } = await createTemplate(it, full)
    const [email = ""] = await send(id, "delivered@example.com")
    await it.settle()
    await it.app.store.write(it.project.id, (unit) => it.app.emails.report(unit, email, { kind: "delivery" }))
    expect((await it.api(`GET /emails/${email}`)).body.status).toBe("DELIVERED")
    expect((await usage(id)).emailsSent).toBe(1)
    await it.app.store.write(it.project.id, (unit) => it.app.emails.report(unit, email, { kind: "complaint" }))
    expect((await usage(id)).emailsSent).toBe(1)
  })
})
