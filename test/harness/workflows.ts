import { expect } from "bun:test"
import { minute } from "../../src/kernel/clock.ts"
import type { TestApp } from "./app.ts"
import { createTemplate } from "./templates.ts"

/** A step of a graph in a test, with the steps that its exits lead to; the plain exit is `""`. */
export interface TestStep {
  readonly label: string
  readonly type: string
  readonly config: Record<string, unknown>
  readonly exits: Record<string, TestStep>
}

type Exits = Record<string, TestStep>

const step = (label: string, type: string, config: object, exits: Exits = {}): TestStep => ({
  label,
  type,
  config: config as Record<string, unknown>,
  exits,
})

/** Steps in a row, each led to by the plain exit of the one before. */
export const inRow = (first: TestStep, ...rest: TestStep[]): TestStep => {
  const [next, ...others] = rest
  return next === undefined ? first : { ...first, exits: { ...first.exits, "": inRow(next, ...others) } }
}

/** The kinds of steps, named as in contract B5.9. `mail` and `bulk` send the template of their label. */
export const steps = {
  mail: (label = "R", recipient?: object) =>
    step(label, "SEND_EMAIL", { template: label, ...(recipient && { recipient }) }),
  delay: (amount: number, unit: string) => step("D", "DELAY", { amount, unit }),
  wait: (eventName: string, minutes: number | undefined, exits: Exits = {}) =>
    step("W", "WAIT_FOR_EVENT", { eventName, ...(minutes !== undefined && { timeout: minutes * 60 }) }, exits),
  condition: (config: object, exits: Exits) => step("C", "CONDITION", config, exits),
  update: (config: object) => step("U", "UPDATE_CONTACT", config),
  webhook: (config: object) => step("H", "WEBHOOK", config),
  exit: (reason?: string) => step("X", "EXIT", reason === undefined ? {} : { reason }),
}

export interface TestWorkflow {
  readonly id: string
  /** The ids of the steps by label; `T` is the trigger. */
  readonly ids: ReadonlyMap<string, string>
}

const templates = new WeakMap<TestApp, Map<string, Promise<string>>>()

/** The template whose subject is a label: marketing for those that begin with M. */
function templateOf(it: TestApp, label: string): Promise<string> {
  const known = templates.get(it) ?? new Map<string, Promise<string>>()
  templates.set(it, known)
  const type = label.startsWith("M") ? "MARKETING" : "TRANSACTIONAL"
  const made =
    known.get(label) ??
    createTemplate(it, { name: label, subject: label, body: "<p>{{code}}</p>", type }).then(({ id }) => id)
  known.set(label, made)
  return made
}

/** Makes and enables a workflow that an event starts. The same step may be led to more than once. */
export async function createWorkflow(
  it: TestApp,
  eventName: string,
  first: TestStep | undefined,
  fields: { allowReentry?: boolean; enabled?: boolean } = {},
): Promise<TestWorkflow> {
  const { enabled = true, allowReentry = false } = fields
  const created = await it.api("POST /workflows", { body: { name: `On ${eventName}`, eventName, allowReentry } })
  expect(created.status).toBe(201)
  const path = `/workflows/${created.body.id}`
  const ids = new Map<string, string>([["T", created.body.steps[0].id]])
  const made = new Map<TestStep, string>()

  async function add(node: TestStep): Promise<string> {
    const known = made.get(node)
    if (known !== undefined) return known
    const { template, ...config } = node.config
    if (template !== undefined) config.templateId = await templateOf(it, String(template))
    const body = { type: node.type, name: node.label, config, autoConnect: false }
    const answer = await it.api(`POST ${path}/steps`, { body })
    expect([answer.status, answer.body]).toEqual([201, answer.body])
    const id = answer.body.id as string
    made.set(node, id)
    ids.set(node.label, id)
    for (const [branch, next] of Object.entries(node.exits)) await link(id, await add(next), branch)
    return id
  }

  const link = async (fromStepId: string, toStepId: string, branch: string) => {
    const body = { fromStepId, toStepId, ...(branch !== "" && { branch }) }
    expect((await it.api(`POST ${path}/transitions`, { body })).status).toBe(201)
  }

  if (first !== undefined) await link(created.body.steps[0].id, await add(first), "")
  if (enabled) await it.api(`PATCH ${path}`, { body: { enabled: true } })
  return { id: created.body.id, ids }
}

/** The executions of a workflow, the oldest first, each as `steps; status reason`. */
export async function traces(it: TestApp, { id }: TestWorkflow): Promise<string[]> {
  const { body } = await it.api(`GET /workflows/${id}/executions?pageSize=100`)
  const found: string[] = []
  for (const each of body.data.toReversed()) {
    const one = await it.api(`GET /workflows/${id}/executions/${each.id}`)
    const { stepExecutions, status, exitReason } = one.body
    const labels = stepExecutions.map((row: { step: { name: string }; status: string }) =>
      row.status === "COMPLETED" ? row.step.name.replace("Trigger", "T") : `${row.step.name}(${row.status})`,
    )
    found.push(`${labels.join(" ")}; ${status}${exitReason === null ? "" : ` ${exitReason}`}`)
  }
  return found
}

interface TestContact {
  readonly id: string
  readonly email: string
}

/** One scenario of contract B5.9: a contact K, and events that no other scenario has. Times count from its beginning. */
export interface ScenarioRun {
  readonly K: TestContact
  own(name: string): string
  contact(data: object, subscribed?: boolean): Promise<TestContact>
  track(name: string, options?: { of?: TestContact; data?: object }): Promise<void>
  /** Moves to each of these times, in ms after the beginning, and does what is due. */
  at(...times: number[]): Promise<void>
  /** The workflow that the event `s` starts. */
  start(first: TestStep | undefined, fields?: object): Promise<TestWorkflow>
  /** The mails of a contact, oldest first: `subject at minutes`, with the state of those that failed. */
  mails(of?: TestContact): Promise<string[]>
}

let rounds = 0

export async function newScenario(
  it: TestApp,
  data: object = { plan: "pro" },
  subscribed = true,
): Promise<ScenarioRun> {
  const round = ++rounds
  const startedAt = it.clock.now()
  const own = (name: string) => `${name}.${round}`
  let contacts = 0

  async function contact(data: object, subscribed = true): Promise<TestContact> {
    const body = { email: `k${round}.${++contacts}@example.com`, subscribed, data }
    return (await it.api("POST /contacts", { body })).body
  }

  const K = await contact(data, subscribed)
  return {
    K,
    own,
    contact,
    async track(name, { of = K, data = {} } = {}) {
      const answer = await it.api("POST /v1/track", { body: { event: own(name), email: of.email, data } })
      expect(answer.status).toBe(200)
      await it.settle()
    },
    async at(...times) {
      for (const time of times) {
        await it.clock.advance(Math.max(0, startedAt + time - it.clock.now()))
        await it.settle()
      }
    },
    start: (first, fields) => createWorkflow(it, own("s"), first, fields),
    async mails(of = K) {
      const { body } = await it.api(`GET /emails?contactId=${of.id}&limit=100`)
      return body.data
        .toReversed()
        .map((one: { subject: string; status: string; createdAt: string; error: string | null }) => {
          const passed = (Date.parse(one.createdAt) - startedAt) / minute
          return `${one.subject} at ${passed}${one.status === "FAILED" ? ` FAILED ${one.error}` : ""}`
        })
    },
  }
}
