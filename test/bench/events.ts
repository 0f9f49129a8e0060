import { encodeCursor } from "../../src/http/page.ts"
import { bytesOfId, idOfBytes } from "../../src/kernel/ids.ts"
import { inside, millionContacts } from "./tools/contacts.ts"
import { type Instance, startInstance } from "./tools/instance.ts"
import { below, type Figure, ratioOf } from "./tools/table.ts"
import { wrk } from "./tools/wrk.ts"

const small = 3_000
const large = 3_000_000
const requests = 300
const by = "fetch, one at a time"
const start = 1_700_000_000_000
const names = ["email.sent", "email.delivery", "page_viewed", "login", "purchase", "cart_filled", "invited", "upgraded"]

/** Pages and counts at three million events of a million contacts against the same at a thousandth, and their cost. */
export async function events(): Promise<Figure[]> {
  const few = await measure(small)
  const many = await measure(large)
  const pages = Object.keys(few.times).map((name): Figure => {
    const [limit = Number.NaN, value = Number.NaN] = [few.times[name], many.times[name]]
    const ratio = value / limit
    const what = `${name}, 3,000,000 events of 3,000`
    return { what, value: ms(value), limit: ms(limit), ratio, target: "<= 2", met: ratio <= 2, by }
  })
  return [
    ...pages,
    below("first page of a period with a third of 3,000,000 events, with total", many.page, "ms", 400, by),
    below("counts of a period with a third of 3,000,000 events", many.period, "ms", 400, by),
    below("the use of a name with half of 3,000,000 events", many.usage, "ms", 5_000, by),
    below("track p99 while both are asked for", many.trackP99, "ms", 50, "wrk"),
    below("a track while 60,000 events are deleted, p99", many.deletionP99, "ms", 50, "wrk"),
    await newEvents(),
  ]
}

const ms = (value: number): string => `${value.toFixed(2)} ms`

async function measure(count: number) {
  const instance = await startInstance({}, (folder, projectId) => fill(folder, projectId, count))
  const [middle, contact] = placesIn(instance, count)
  const path = {
    page: `/events?startDate=${iso(start + count / 3)}&endDate=${iso(start + (count / 3) * 2)}`,
    period: `/events/stats?startDate=${iso(start + count / 3)}&endDate=${iso(start + (count / 3) * 2)}`,
    usage: "/events/email.sent/usage",
  }
  const times: Record<string, number> = {
    "first page of events with total": await timeOf(instance, "/events"),
    "page of events in the middle": await timeOf(instance, `/events?cursor=${encodeCursor("events", middle)}`),
    "first page of the events of a name": await timeOf(instance, "/events?eventName=purchase"),
    "page of the events of a name in the middle": await timeOf(
      instance,
      `/events?eventName=purchase&cursor=${encodeCursor("events", middle)}`,
    ),
    "events of a contact": await timeOf(instance, `/events/contact/${contact}`),
    "the same, of the list of all": await timeOf(instance, `/events?contactId=${contact}`),
    "names of events": await timeOf(instance, "/events/names"),
    "counts of all time": await timeOf(instance, "/events/stats"),
  }
  const isLarge = count === large
  const figures = {
    times,
    page: await timeOf(instance, path.page, 5),
    period: await timeOf(instance, path.period, 5),
    usage: await timeOf(instance, path.usage, 3),
    trackP99: isLarge
      ? await trackDuring(instance, () => Promise.all([get(instance, path.period), get(instance, path.usage)]))
      : 0,
    deletionP99: isLarge ? await trackDuring(instance, () => get(instance, "/events/upgraded", "DELETE")) : 0,
  }
  await instance.end()
  return figures
}

const iso = (at: number): string => encodeURIComponent(new Date(at).toISOString())

/** A third as many contacts, each with events of some names; the first name has half of them, the last a fiftieth. */
function fill(folder: string, projectId: string, count: number): void {
  const contacts = count / 3
  millionContacts(folder, projectId, contacts)
  inside(folder, (db) => {
    // There are no searches here, so contacts need not be indexed.
    db.run("UPDATE contact_search_mark SET seq = 1000000000000")
    const ids = db.query("SELECT id FROM contact ORDER BY seq").values() as [Uint8Array][]
    const project = bytesOfId(projectId)
    const insert = db.prepare(
      "INSERT INTO event (id, project_id, contact_id, name, data, created_at) VALUES (?, ?, ?, ?, '{\"amount\":49}', ?)",
    )
    db.transaction(() => {
      for (let n = 0; n < count; n++) {
        const [at, [contact = null] = []] = [start + n, ids[(n * 7_919) % contacts]]
        const name = n % 2 === 0 ? names[0] : names[n % 50 === 1 ? 7 : 1 + (((n * 31) >> 3) % 6)]
        insert.run(Bun.randomUUIDv7("buffer", at), project, contact, name ?? "", at)
      }
    })()
  })
}

/** The position of the event in the middle, and a contact. */
function placesIn({ folder, project }: Instance, count: number) {
  return inside(folder, (db) => {
    const at = start + Math.floor(count / 2)
    const id = Bun.randomUUIDv7("hex", at)
    const contact = db.query("SELECT id FROM contact WHERE project_id = ? LIMIT 1").get(bytesOfId(project.id)) as {
      id: Uint8Array
    }
    return [{ key: at, id }, idOfBytes(contact.id)] as const
  })
}

async function get({ url, project }: Instance, path: string, method = "GET"): Promise<void> {
  const answer = await fetch(url + path, { method, headers: { Authorization: `Bearer ${project.secret}` } })
  await answer.text()
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
}

/** The median time of a request in ms. */
async function timeOf(instance: Instance, path: string, times = requests): Promise<number> {
  const taken: number[] = []
  for (let at = 0; at < times; at++) {
    const started = performance.now()
    await get(instance, path)
    taken.push(performance.now() - started)
  }
  return taken.sort((one, other) => one - other)[Math.floor(times / 2)] ?? Number.NaN
}

const track = ({ url, project }: Instance, connections: number) =>
  wrk({
    url,
    path: "/v1/track",
    key: project.publicKey,
    body: `'{"email":"user' .. n % 1000 .. '@example.com","event":"login","data":{"amount":49}}'`,
    connections,
    seconds: 4,
  })

/** The time of a track request, in ms at p99, during repeated other requests. */
async function trackDuring(instance: Instance, ask: () => Promise<unknown>): Promise<number> {
  let over = false
  const asking = (async () => {
    while (!over) await ask()
  })()
  const { p99Ms } = await track(instance, 8)
  over = true
  await asking
  return p99Ms
}

/** The cost of counting by name for new events. */
async function newEvents(): Promise<Figure> {
  const rate = async (prepare: (folder: string) => void) => {
    const instance = await startInstance({}, prepare)
    const { perSecond } = await track(instance, 64)
    await instance.end()
    return perSecond
  }
  const uncounted = (folder: string) => inside(folder, (db) => void db.run("DROP TRIGGER event_added"))
  let [bare, ours] = [0, 0]
  for (const _ of ["once", "again"]) {
    bare = Math.max(bare, await rate(uncounted))
    ours = Math.max(ours, await rate(() => {}))
  }
  return ratioOf("track, of the same without counts of names", ours, bare, 0.9, "wrk")
}
