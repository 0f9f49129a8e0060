import { createApp } from "../../src/app.ts"
import { loadConfig } from "../../src/config.ts"
import { bytesOfId } from "../../src/kernel/ids.ts"
import { inside } from "./tools/contacts.ts"
import { rarePlan, seedCrowd } from "./tools/crowd.ts"
import { sizes, timeOf } from "./tools/growth.ts"
import { caller, type Instance, startInstance } from "./tools/instance.ts"
import { below, type Figure } from "./tools/table.ts"
import { wrk } from "./tools/wrk.ts"

const by = "fetch, one at a time"

/** Segments with growing numbers of contacts, each with ten custom fields and three events. */
export async function segments(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const size of sizes) figures.push(...(await measure(size)))
  return figures
}

const all = (...filters: object[]) => ({ logic: "AND", groups: [{ filters }] })
const onPlan = { field: "data.plan", operator: "equals", value: rarePlan }
const twoFilters = all(onPlan, { field: "data.score", operator: "greaterThan", value: 500 })
const withEvent = all(onPlan, { field: "event.purchase", operator: "triggeredWithin", value: 30, unit: "days" })

async function measure(size: number): Promise<Figure[]> {
  const instance = await startInstance({}, (folder, projectId) => seedCrowd(folder, projectId, size))
  const call = caller(instance)
  const name = (what: string) => `${what}, ${size.toLocaleString("en")} contacts`
  try {
    const figures: Figure[] = []
    for (const [what, condition, mostMs] of [
      ["two fields", twoFilters, 250],
      ["a field and an event", withEvent, 300],
    ] as const) {
      const { id } = await call("POST", "/segments", { name: what, condition })
      figures.push(
        below(
          name(`live count by ${what}`),
          await timeOf(5, () => call("POST", `/segments/${id}/refresh`)),
          "ms",
          mostMs,
          by,
        ),
        below(
          name(`first page by ${what}`),
          await timeOf(5, () => call("GET", `/segments/${id}/contacts`)),
          "ms",
          400,
          by,
        ),
      )
      if (condition === twoFilters) figures.push(await trackMeanwhile(name, instance, id))
    }
    const { id } = await call("POST", "/segments", { name: "Tracked", condition: all(onPlan), trackMembership: true })
    const compute = () => timeOf(1, () => call("POST", `/segments/${id}/compute`))
    const members = `a tracked segment of ${(size / 10).toLocaleString("en")} members`
    figures.push(
      below(name(`compute of ${members} that all join`), await compute(), "ms", 3_000, by),
      below(name(`recompute of ${members}`), await compute(), "ms", 3_000, by),
    )
    await instance.stop()
    figures.push(below(name("one contact against 100 tracked segments"), await reaction(instance), "ms", 5, "the bus"))
    return figures
  } finally {
    await instance.end()
  }
}

/** The latency of `/v1/track` while a segment is listed continuously. */
async function trackMeanwhile(name: (what: string) => string, instance: Instance, id: string): Promise<Figure> {
  const call = caller(instance)
  let over = false
  const looking = (async () => {
    while (!over) await call("GET", `/segments/${id}/contacts`)
  })()
  const { p99Ms } = await wrk({
    url: instance.url,
    path: "/v1/track",
    key: instance.project.publicKey,
    body: `'{"email":"during' .. n .. '@example.org","event":"signed_in","data":{"plan":"free"}}'`,
    connections: 8,
    seconds: 4,
  })
  over = true
  await looking
  return below(name("track p99 meanwhile"), p99Ms, "ms", 50, "wrk")
}

const contactsAsked = 100

/** The time of the reaction to a change of one contact, commit included, with a hundred segments. */
async function reaction({ folder, project }: Instance): Promise<number> {
  inside(folder, (db) => {
    const insert = db.prepare(
      `INSERT INTO segment (id, project_id, name, type, condition, track_membership, created_at, updated_at)
       VALUES (?, ?, ?, 'DYNAMIC', ?, 1, 0, 0)`,
    )
    for (let n = 0; n < 100; n++) {
      const condition = all(
        { field: "data.score", operator: n % 2 === 0 ? "greaterThan" : "lessThan", value: n * 10 },
        n % 4 === 0
          ? { field: `event.purchase${n}`, operator: "notTriggeredWithin", value: n, unit: "days" }
          : { field: "data.seen", operator: "within", value: n, unit: "days" },
      )
      insert.run(Bun.randomUUIDv7("buffer"), bytesOfId(project.id), `Segment ${n}`, JSON.stringify(condition))
    }
  })
  const { config } = loadConfig({ options: { data: folder } })
  const app = await createApp(config)
  const taken: number[] = []
  for (let n = 0; n < contactsAsked; n++) {
    const change = { email: `user${n}@example.com`, subscribedWhenNew: true, data: { score: 1_000 + n } }
    await app.contacts.upsert(project.id, change)
    const started = performance.now()
    await app.bus.drain()
    taken.push(performance.now() - started)
  }
  await app.stop()
  return taken.sort((one, other) => one - other)[Math.floor(contactsAsked / 2)] ?? Number.NaN
}
