import { bytesOfId, idOfBytes } from "../../src/kernel/ids.ts"
import { inside } from "./tools/contacts.ts"
import { seedCrowd } from "./tools/crowd.ts"
import { caller, type Instance, startInstance } from "./tools/instance.ts"
import { below, type Figure, ratioOf } from "./tools/table.ts"
import { wrk } from "./tools/wrk.ts"

const by = "fetch"
const entering = 100_000
const resting = 1_000_000
/** The worker of the product that the API is compatible with moves about so many mails a second on two cores. */
const comparedPerSecond = 140

export async function workflows(): Promise<Figure[]> {
  return [...(await started()), ...(await entered()), ...(await dueAtOnce()), ...(await rests())]
}

/** An enabled workflow of a mail, a change of the contact and a condition. */
async function workflowOn(instance: Instance, eventName: string): Promise<string> {
  const call = caller(instance)
  const fields = { subject: "Hello {{email}}", body: "<p>Hello {{plan}}, {{event.segmentName}}</p>" }
  const template = await call("POST", "/templates", { name: eventName, from: "hi@acme.test", ...fields })
  const { id } = await call("POST", "/workflows", { name: eventName, eventName })
  const step = (type: string, config: object) => call("POST", `/workflows/${id}/steps`, { type, name: type, config })
  await step("SEND_EMAIL", { templateId: template.id })
  await step("UPDATE_CONTACT", { updates: { greeted: "{{plan}}" } })
  await step("CONDITION", { field: "data.greeted", operator: "exists" })
  await call("PATCH", `/workflows/${id}`, { enabled: true })
  return id
}

const track = ({ url, project }: Instance, event: string) =>
  wrk({
    url,
    path: "/v1/track",
    key: project.publicKey,
    body: `'{"email":"${event}' .. n .. '@example.org","event":"${event}"}'`,
    connections: 8,
    seconds: 5,
  })

/** Tracked events that start a workflow, against those that start none. */
async function started(): Promise<Figure[]> {
  const instance = await startInstance()
  try {
    await workflowOn(instance, "signup")
    await track(instance, "warm")
    const plain = await track(instance, "view")
    const starting = await track(instance, "signup")
    return [
      ratioOf(
        "track of an event that starts a workflow / one that does not",
        starting.perSecond,
        plain.perSecond,
        0.4,
        "wrk",
      ),
      below("track p99 meanwhile", starting.p99Ms, "ms", 50, "wrk"),
    ]
  } finally {
    await instance.end()
  }
}

/** 100,000 contacts that enter at once by a segment. */
async function entered(): Promise<Figure[]> {
  const instance = await startInstance({}, (folder, projectId) => seedCrowd(folder, projectId, entering))
  const call = caller(instance)
  try {
    const id = await workflowOn(instance, "segment.crowd.entry")
    const condition = {
      logic: "AND",
      groups: [{ filters: [{ field: "email", operator: "contains", value: "@" }] }],
    }
    const segment = await call("POST", "/segments", { name: "Crowd", condition, trackMembership: true })
    const began = performance.now()
    await call("POST", `/segments/${segment.id}/compute`)
    const { p99Ms } = await track(instance, "meanwhile")
    for (;;) {
      const { data } = await call("GET", `/workflows?search=segment.crowd`)
      const { executions, active } = data.find((each: { id: string }) => each.id === id)._count
      if (executions === entering && active === 0) break
      await Bun.sleep(200)
    }
    const perSecond = (entering * 3) / ((performance.now() - began) / 1_000)
    return [
      ratioOf("steps per second, 100,000 contacts that enter at once", perSecond, comparedPerSecond, 10, by),
      below("track p99 meanwhile", p99Ms, "ms", 50, "wrk"),
    ]
  } finally {
    await instance.end()
  }
}

interface Resting {
  readonly count: number
  /** The step on which all of them stand. */
  readonly type: "DELAY" | "WAIT_FOR_EVENT"
  readonly config: object
  /** The end of the rest of each, in ms. */
  readonly dueAt: (n: number) => number
}

/** A workflow with one step, and executions that rest on it, straight into the tables; its id. */
function seedResting(folder: string, projectId: string, { count, type, config, dueAt }: Resting): string {
  const [workflowId, trigger, wait] = [0, 1, 2].map(() => Bun.randomUUIDv7("buffer")) as [Buffer, Buffer, Buffer]
  const project = bytesOfId(projectId)
  const waits = type === "WAIT_FOR_EVENT"
  seedCrowd(folder, projectId, count)
  inside(folder, (db) => {
    db.run(
      `INSERT INTO workflow (id, project_id, name, enabled, trigger_type, event_name, allow_reentry, created_at, updated_at)
       VALUES (?, ?, 'Resting', 1, 'EVENT', 'never', 0, 0, 0)`,
      [workflowId, project],
    )
    const insertStep = db.prepare(
      "INSERT INTO workflow_step (id, workflow_id, type, name, position, config, created_at, updated_at) VALUES (?, ?, ?, ?, '{}', ?, 0, 0)",
    )
    insertStep.run(trigger, workflowId, "TRIGGER", "Trigger", '{"eventName":"never"}')
    insertStep.run(wait, workflowId, type, "Rest", JSON.stringify(config))
    const execution = db.prepare(
      `INSERT INTO workflow_execution (id, workflow_id, project_id, contact_id, status, current_step_id, context, steps,
         due_at, waits_for, waits_after, started_at, created_at, updated_at)
       VALUES (?, ?, ?, ?, 'WAITING', ?, '{}', 2, ?, ?, ?, ?, ?, ?)`,
    )
    const step = db.prepare(
      `INSERT INTO workflow_step_execution (id, execution_id, step_id, name, type, status, started_at)
       VALUES (?, ?, ?, 'Rest', ?, ?, ?)`,
    )
    const now = Date.now()
    const contacts = db.query("SELECT id FROM contact LIMIT ?").all(count) as { id: Uint8Array }[]
    const [waitsFor, waitsAfter, status] = waits ? ["purchase", 0, "WAITING"] : [null, null, "SCHEDULED"]
    db.run("PRAGMA synchronous = OFF")
    db.transaction(() => {
      for (const [n, contact] of contacts.entries()) {
        const id = Bun.randomUUIDv7("buffer", now - count + n)
        execution.run(id, workflowId, project, contact.id, wait, dueAt(n), waitsFor, waitsAfter, now, now, now)
        step.run(Bun.randomUUIDv7("buffer", now - count + n), id, wait, type, status, now)
      }
    })()
  })
  return idOfBytes(workflowId)
}

/** Ten thousand executions that are due in the same second. */
async function dueAtOnce(): Promise<Figure[]> {
  const at = Date.now() + 12_000
  let workflowId = ""
  const instance = await startInstance({}, (folder, projectId) => {
    const config = { amount: 0, unit: "minutes" }
    workflowId = seedResting(folder, projectId, { count: 10_000, type: "DELAY", config, dueAt: () => at })
  })
  const call = caller(instance)
  try {
    await Bun.sleep(at - Date.now() - 1_000)
    const { p99Ms } = await track(instance, "meanwhile")
    const { data } = await call("GET", "/workflows")
    const { active } = data.find((each: { id: string }) => each.id === workflowId)._count
    const ended = active === 0 ? "all ended" : `${active} not ended`
    return [below(`track p99 while 10,000 executions are due in one second (${ended})`, p99Ms, "ms", 50, "wrk")]
  } finally {
    await instance.end()
  }
}

/** A million executions that rest. */
async function rests(): Promise<Figure[]> {
  const due = Date.now() + 30 * 86_400_000
  const config = { eventName: "purchase" }
  let workflowId = ""
  const instance = await startInstance({}, (folder, projectId) => {
    const dueAt = (n: number) => due + n
    workflowId = seedResting(folder, projectId, { count: resting, type: "WAIT_FOR_EVENT", config, dueAt })
  })
  const call = caller(instance)
  try {
    await Bun.sleep(5_000)
    const before = instance.cpuMs()
    await Bun.sleep(10_000)
    const idle = (instance.cpuMs() - before) / 100
    const memory = instance.memory()
    const taken: number[] = []
    for (let n = 0; n < 20; n++) {
      const email = `user${n * 1_000}@example.com`
      const { id: contactId } = inside(instance.folder, (db) =>
        db.query("SELECT id FROM contact WHERE email = ?").get(email),
      ) as { id: Uint8Array }
      const began = performance.now()
      await call("POST", "/events/track", { event: "purchase", email })
      for (;;) {
        const { data: left } = await call(
          "GET",
          `/workflows/${workflowId}/executions?contactId=${idOfBytes(contactId)}`,
        )
        if (left[0].status === "COMPLETED") break
      }
      taken.push(performance.now() - began)
    }
    return [
      below("processor use of an idle server, 1,000,000 resting executions", idle, "%", 3, "/proc"),
      below("memory", memory, "MB", 350, "/proc"),
      below(
        "from the request with the awaited event to the end of the execution",
        taken.toSorted((a, b) => a - b)[10] ?? 0,
        "ms",
        50,
        by,
      ),
    ]
  } finally {
    await instance.end()
  }
}
