import { afterAll, beforeAll, expect, test } from "bun:test"
import { minute } from "../../src/kernel/clock.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { createWorkflow, newScenario, type ScenarioRun, steps, type TestStep, traces } from "../harness/workflows.ts"

/*
 * Random graphs and random orders of events, run by the engine and by a model of a few lines, which knows one contact,
 * whole minutes, and no store.
 */

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

/** A repeatable source of numbers in [0, 1). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

interface Occurrence {
  readonly minute: number
  readonly name: string
}

const lengthMinutes = 200
const names = ["a", "b"]

/** A tree of steps, at most `depth` deep, whose labels tell them apart. */
function randomStep(random: () => number, run: ScenarioRun, depth: number, label: () => string): TestStep | undefined {
  if (depth === 0) return undefined
  const next = () => randomStep(random, run, depth - 1, label)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const exits = (branches: Record<string, TestStep | undefined>) =>
    Object.fromEntries(Object.entries(branches).filter(([, step]) => step !== undefined)) as Record<string, TestStep>
  const named = (step: TestStep, branches: Record<string, TestStep | undefined>): TestStep => ({
    ...step,
    label: `${step.label}${label()}`,
    exits: exits(branches),
  })
  switch (Math.floor(random() * 6)) {
    case 0:
      return named(steps.delay(1 + Math.floor(random() * 40), "minutes"), { "": next() })
    case 1: {
      const timeout = random() < 0.7 ? 1 + Math.floor(random() * 40) : undefined
      return named(steps.wait(run.own(pick(names)), timeout, {}), { "": next(), timeout: next() })
    }
    case 2: {
      const value = Math.floor(random() * 3)
      const config = { field: "data.n", operator: pick(["equals", "greaterThan"]), value }
      return named(steps.condition(config, {}), { yes: next(), no: next() })
    }
    case 3:
      return named(steps.update({ updates: { n: Math.floor(random() * 3) } }), { "": next() })
    case 4:
      return named(steps.mail("R"), { "": next() })
    default:
      return random() < 0.3 ? named(steps.exit("over"), {}) : named(steps.mail("R2"), { "": next() })
  }
}

/** The way of a contact with `n` 0 that starts at minute 0: in each minute, rests end before events come. */
function model(first: TestStep | undefined, events: readonly Occurrence[]): string {
  const labels: string[] = ["T"]
  let now = 0
  let n = 0
  let seen = 0
  for (let at = first; at !== undefined; ) {
    const { type, config, exits, label } = at
    labels.push(label)
    if (type === "EXIT") return `${labels.join(" ")}; EXITED over`
    let branch = ""
    if (type === "UPDATE_CONTACT") n = (config.updates as { n: number }).n
    if (type === "CONDITION") {
      const value = Number(config.value)
      branch = (config.operator === "equals" ? n === value : n > value) ? "yes" : "no"
    }
    if (type === "DELAY") {
      now += Number(config.amount)
      if (now > lengthMinutes) return `${mark(labels, "SCHEDULED")}; WAITING`
    }
    if (type === "WAIT_FOR_EVENT") {
      const until = config.timeout === undefined ? Number.POSITIVE_INFINITY : now + Number(config.timeout) / 60
      const event = events.find((one, index) => index >= seen && one.minute >= now && one.name === config.eventName)
      if (event !== undefined && event.minute < until) {
        now = event.minute
        seen = events.indexOf(event) + 1
      } else if (until > lengthMinutes) return `${mark(labels, "WAITING")}; WAITING`
      else {
        now = until
        branch = exits.timeout === undefined ? "" : "timeout"
      }
    }
    at = exits[branch]
  }
  return `${labels.join(" ")}; COMPLETED`
}

const mark = (labels: readonly string[], status: string): string =>
  labels.map((label, index) => (index === labels.length - 1 ? `${label}(${status})` : label)).join(" ")

test.each(Array.from({ length: 40 }, (_, seed) => seed + 1))("graph %d goes the way of the model", async (seed) => {
  const random = randomOf(seed * 7_919)
  const run = await newScenario(it, { n: 0 })
  let count = 0
  const first = randomStep(random, run, 6, () => String(++count))
  const events = Array.from(
    { length: 8 },
    (): Occurrence => ({
      minute: Math.floor(random() * 120),
      name: run.own(names[Math.floor(random() * names.length)] as string),
    }),
  ).toSorted((a, b) => a.minute - b.minute)
  const flow = await createWorkflow(it, run.own("s"), first)
  await run.track("s")
  const worker = it.app.modules.find(({ name }) => name === "workflows")?.worker ?? expect.unreachable()
  const startedAt = it.clock.now()
  /** The next minute in which an event comes or a rest ends. */
  const nextAfter = async (at: number): Promise<number> => {
    const dueAt = (await worker.nextDueAt?.()) ?? Number.POSITIVE_INFINITY
    const due = Math.max(at + 1, Math.ceil((dueAt - startedAt) / minute))
    return Math.min(due, ...events.map((one) => one.minute).filter((one) => one > at))
  }
  for (let at = 0; at <= lengthMinutes; ) {
    await worker.drain()
    for (const event of events.filter((one) => one.minute === at)) {
      await it.api("POST /v1/track", { body: { event: event.name, email: run.K.email } })
      await it.app.bus.drain()
      await worker.drain()
    }
    const next = await nextAfter(at)
    if (next <= lengthMinutes) await it.clock.advance((next - at) * minute)
    at = next
  }
  expect(await traces(it, flow)).toEqual([model(first, events)])
})
