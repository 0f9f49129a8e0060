import { afterAll, beforeAll, expect, test } from "bun:test"
import { hour } from "../../src/kernel/clock.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
})
afterAll(() => it.close())

interface SentStep {
  readonly id: string
  readonly type: string
  readonly name: string
  readonly config: Record<string, unknown>
}

interface SentGraph {
  readonly steps: readonly SentStep[]
  readonly transitions: readonly { fromStepId: string; toStepId: string; branch: string | null }[]
}

/** Random whole numbers below a limit, the same in each run. */
function dice(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const branchesOf: Readonly<Record<string, readonly (string | null)[]>> = {
  TRIGGER: [null],
  DELAY: [null],
  WAIT_FOR_EVENT: [null, "timeout"],
  UPDATE_CONTACT: [null],
  CONDITION: ["yes", "no"],
  EXIT: [],
}

/** Steps that are kept and new ones, led to the next rest or any later step, so that there is no loop without a rest. */
function randomGraph(roll: (below: number) => number, known: readonly SentStep[]): SentGraph {
  const trigger = { id: "t", type: "TRIGGER", name: "T", config: {} }
  const kept = known.filter(({ type }) => type !== "TRIGGER" && roll(3) > 0).map((step) => changed(roll, step))
  const added = Array.from({ length: 1 + roll(4) }, (_, n) => newStep(roll, `new${n}`))
  const others = [...kept, ...added].toSorted(() => roll(3) - 1)
  const steps = [trigger, ...others]
  const transitions = steps.flatMap(({ id, type }, index) =>
    (branchesOf[type] ?? []).flatMap((branch) => {
      const rests = type === "DELAY" || type === "WAIT_FOR_EVENT"
      const later = rests && roll(4) === 0 ? others : others.slice(index)
      const to = later[roll(later.length)]
      return to === undefined || to.id === id || roll(8) === 0 ? [] : [{ fromStepId: id, toStepId: to.id, branch }]
    }),
  )
  return { steps, transitions }
}

function newStep(roll: (below: number) => number, id: string): SentStep {
  const configs: [string, Record<string, unknown>][] = [
    ["DELAY", { amount: 1 + roll(5), unit: "hours" }],
    ["DELAY", { amount: 1 + roll(5), unit: "hours" }],
    ["WAIT_FOR_EVENT", { eventName: "buy", timeout: 3_600 * (1 + roll(5)) }],
    ["WAIT_FOR_EVENT", { eventName: "buy" }],
    ["UPDATE_CONTACT", { updates: { seen: id } }],
    ["CONDITION", { field: "data.seen", operator: "exists" }],
    ["EXIT", {}],
  ]
  const [type, config] = configs[roll(configs.length)] ?? ["EXIT", {}]
  return { id, type, name: id, config }
}

const changed = (roll: (below: number) => number, step: SentStep): SentStep =>
  step.type === "DELAY" && roll(3) === 0 ? { ...step, config: { amount: 1 + roll(5), unit: "hours" } } : step

/** What must hold for each active execution once everything due is done (contract B5.11.4, B5.11.5). */
async function checkAll(path: string): Promise<number> {
  const live = new Map<string, SentStep>((await it.api(`GET ${path}`)).body.steps.map((one: SentStep) => [one.id, one]))
  const { data } = (await it.api(`GET ${path}/executions?pageSize=100`)).body
  let active = 0
  for (const { id } of data) {
    const { status, currentStepId, stepExecutions } = (await it.api(`GET ${path}/executions/${id}`)).body
    const open = stepExecutions.filter((one: { completedAt: string | null }) => one.completedAt === null)
    if (status !== "WAITING") {
      expect([status, currentStepId, open]).toEqual([expect.stringMatching(/^(COMPLETED|EXITED|FAILED)$/), null, []])
      continue
    }
    active++
    expect(open.map((one: { stepId: string }) => one.stepId)).toEqual([currentStepId])
    const step = live.get(currentStepId)
    expect(["DELAY", "WAIT_FOR_EVENT"]).toContain(String(step?.type))
    const [{ startedAt, scheduledFor }] = open
    if (step?.type !== "DELAY") continue
    expect(Date.parse(scheduledFor) - Date.parse(startedAt)).toBe(Number(step.config.amount) * hour)
    expect(Date.parse(scheduledFor)).toBeGreaterThan(it.clock.now())
  }
  return active
}

test.each([1, 2, 3])("however graphs change, everybody stands on a live step or has ended (%i)", async (seed) => {
  const roll = dice(seed * 7_919)
  const event = `start.${seed}`
  const { body } = await it.api("POST /workflows", { body: { name: "Random", eventName: event, allowReentry: true } })
  const path = `/workflows/${body.id}`
  await it.api(`PATCH ${path}`, { body: { enabled: true } })
  const track = (name: string) =>
    it.api("POST /v1/track", { body: { email: `r${seed}.${roll(6)}@example.com`, event: name } })
  let known: SentStep[] = []
  let active = 0
  for (let round = 0; round < 12; round++) {
    const saved = await it.api(`PUT ${path}/draft`, { body: randomGraph(roll, known) })
    expect([saved.status, saved.body.faults]).toEqual([200, []])
    const { removed } = (await it.api(`GET ${path}/draft`)).body.impact
    const targets = saved.body.steps.filter((one: SentStep) => one.type !== "TRIGGER")
    const moves = Object.fromEntries(
      removed
        .filter(() => roll(2) === 0)
        .map(({ stepId }: { stepId: string }) => [stepId, targets[roll(targets.length + 1)]?.id ?? "EXIT"]),
    )
    const published = await it.api(`POST ${path}/publish`, { body: { version: saved.body.version, moves } })
    expect([published.status, published.body.error]).toEqual([200, undefined])
    known = published.body.steps
    await it.settle()
    active += await checkAll(path)
    for (let n = 0; n < 3; n++) await track(event)
    if (roll(2) === 0) await track("buy")
    await it.advance({ minutes: roll(240) })
    active += await checkAll(path)
  }
  expect(active).toBeGreaterThan(5)
})
