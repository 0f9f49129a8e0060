import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { Caller } from "../../src/http/auth.ts"
import { createBodies } from "../../src/http/body.ts"
import { createIdempotency } from "../../src/http/idempotency.ts"
import { createProtect } from "../../src/http/protect.ts"
import { createRateLimit } from "../../src/http/rate-limit.ts"
import { createHttpApp } from "../../src/http/server.ts"
import { silentLog } from "../../src/kernel/log.ts"
import { createRenderer } from "../../src/mail/render/index.ts"
import { createTemplates, type StepUse } from "../../src/modules/templates/index.ts"
import type { References } from "../../src/references.ts"
import { type ApiClient, apiClient } from "../harness/api.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createTemplate } from "../harness/templates.ts"

const step: StepUse = {
  workflowId: "0199c0de-0000-7000-9000-000000000001",
  workflowName: "Onboarding",
  stepId: "0199c0de-0000-7000-9000-000000000002",
  stepName: "Say hello",
}

describe("A template that a workflow step sends (contract A6.5, A6.7)", () => {
  let it: TestApp
  let api: ApiClient
  /** The steps that higher modules report, and what they were asked for. */
  let steps: readonly StepUse[] = []
  let asked: string[] = []
  let released: string[] = []

  beforeAll(async () => {
    it = await startTestApp()
    const { store, contacts, domains } = it.app
    const references: References = {
      add: () => {},
      async to(_, projectId, { kind, key }) {
        asked.push(`${projectId} ${kind} ${key}`)
        return steps.map(({ workflowId, workflowName, stepId, stepName }) => ({
          by: "workflowStep",
          id: stepId,
          name: stepName,
          within: { id: workflowId, name: workflowName },
          blocks: true,
        }))
      },
    }
    const templates = createTemplates(
      { store, ids: it.ids, references },
      {
        contacts,
        domains,
        renderer: createRenderer(),
        baseUrl: () => "http://localhost",
        emailsSent: async () => 7,
        releaseEmails: async (_, id) => void released.push(id),
      },
    )
    const project = {
      id: it.project.id,
      name: "Acme",
      language: "en",
      disabled: false,
      publicResubscribe: true,
      postalAddress: null,
    }
    const enter = async (): Promise<Caller> => ({ project, role: "KEY" })
    const refuse = async (): Promise<never> => {
      throw new Error("Nobody signs in here.")
    }
    const nobodySignsIn = { bySession: refuse, bySessionIn: refuse, refuseForeign: () => {} }
    const protect = createProtect({
      auth: { ...nobodySignsIn, byKey: enter, byKeyOrSession: enter },
      clock: it.clock,
      addressOf: () => undefined,
      isStopping: () => false,
      bodies: createBodies(it.clock, () => "127.0.0.1"),
      rateLimit: createRateLimit({ requestsPerMinute: 0, publicRequestsPerMinute: 0 }, it.clock),
      idempotency: createIdempotency({ store, clock: it.clock, keepMs: 1 }),
    })
    const frame = { clock: it.clock, ids: it.ids, log: silentLog }
    const app = createHttpApp(frame, { origins: [] }).use(templates.routes(protect))
    api = apiClient((request) => app.handle(request), it.project)
  })
  afterAll(() => it.close())

  test("says which steps send it", async () => {
    const { id } = await createTemplate(it)
    steps = [step, { ...step, stepName: "Say bye" }]
    const { body } = await api(`GET /templates/${id}/usage`)
    expect(body).toEqual({ campaigns: [], workflowSteps: steps, emailsSent: 7 })
  })

  test("cannot be deleted, keeps its emails, and names the step", async () => {
    const template = await createTemplate(it)
    steps = [step]
    asked = []
    released = []
    const answer = await api(`DELETE /templates/${template.id}`)
    expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([409, "CONFLICT", { ...step }])
    expect(asked).toEqual([`${it.project.id} template ${template.id}`])
    expect(released).toEqual([])
    expect((await api(`GET /templates/${template.id}`)).body).toEqual(template)
  })

  test("can be changed and duplicated all the same", async () => {
    const { id } = await createTemplate(it)
    steps = [step]
    expect((await api(`PATCH /templates/${id}`, { body: { name: "Renamed" } })).status).toBe(200)
    expect((await api(`POST /templates/${id}/duplicate`)).status).toBe(201)
  })

  test("can be deleted once no step sends it", async () => {
    const { id } = await createTemplate(it)
    steps = []
    released = []
    expect((await api(`DELETE /templates/${id}`)).status).toBe(204)
    expect(released).toEqual([id])
    expect((await api(`GET /templates/${id}`)).status).toBe(404)
  })

  test("stays when a step comes while its emails are released", async () => {
    const template = await createTemplate(it)
    steps = []
    released = []
    const deletion = api(`DELETE /templates/${template.id}`)
    while (released.length === 0) await Promise.resolve()
    steps = [step]
    expect((await deletion).status).toBe(409)
    expect((await api(`GET /templates/${template.id}`)).body).toEqual(template)
  })

  test("that is unknown is not asked for", async () => {
    asked = []
    const id = "0199c0de-0000-7000-8000-0000000fffff"
    expect((await api(`DELETE /templates/${id}`)).status).toBe(404)
    expect((await api(`GET /templates/${id}/usage`)).status).toBe(404)
    expect(asked).toEqual([])
  })
})
