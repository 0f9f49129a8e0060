import { encodeCursor } from "../../src/http/page.ts"
import { idOfBytes } from "../../src/kernel/ids.ts"
import { indexed, inside, millionContacts } from "./tools/contacts.ts"
import { type Instance, startInstance } from "./tools/instance.ts"
import { below, type Figure, ratioOf } from "./tools/table.ts"
import { wrk } from "./tools/wrk.ts"

const small = 1_000
const large = 1_000_000
const requests = 300
const by = "fetch, one at a time"

/** Pages of the contact list at a million contacts against the same at a thousand, and the cost of the indexes. */
export async function contacts(): Promise<Figure[]> {
  const few = await measure(small)
  const many = await measure(large)
  const pages = Object.keys(few.times).map((name): Figure => {
    const [limit = Number.NaN, value = Number.NaN] = [few.times[name], many.times[name]]
    const ratio = value / limit
    return {
      what: `${name}, 1,000,000 contacts of 1,000`,
      value: ms(value),
      limit: ms(limit),
      ratio,
      target: "<= 2",
      met: ratio <= 2,
      by,
    }
  })
  return [
    ...pages,
    below("the first search of all for a text that all addresses hold", many.firstCount, "ms", 1_000, by),
    below("track p99 while such searches are counted", many.trackP99, "ms", 50, "wrk"),
    await newContacts(),
  ]
}

const ms = (value: number): string => `${value.toFixed(2)} ms`

async function measure(count: number) {
  const instance = await startInstance({}, (folder, projectId) => fill(folder, projectId, count))
  await indexed(instance)
  const middle = Math.floor(count / 2)
  // A different one each time, across the whole project.
  const somebody = (at: number) =>
    `/contacts?search=user${Math.floor(count * ((at * 0.6180339887) % 1)) + 1}@example.com`
  const { id, createdAt } = contactAt(instance, middle)
  const deep = encodeCursor("createdAt.desc", { key: createdAt, id })
  const firstCount = await timeOf(instance, "/contacts?search=example", 1)
  const times: Record<string, number> = {
    "first page with total": await timeOf(instance, "/contacts"),
    "page in the middle": await timeOf(instance, `/contacts?cursor=${deep}`),
    "first page by address": await timeOf(instance, "/contacts?sort=email&dir=asc"),
    "search that one contact matches": await timeOf(instance, somebody),
    "search that all contacts match": await timeOf(instance, "/contacts?search=example"),
    "subscribed contacts": await timeOf(instance, "/contacts?subscribed=true"),
    "unsubscribed contacts": await timeOf(instance, "/contacts?subscribed=false"),
    "subscribed contacts by address": await timeOf(instance, "/contacts?subscribed=true&sort=email"),
    "get a contact": await timeOf(instance, `/contacts/${id}`),
  }
  const trackP99 = count === large ? await trackWhileCounting(instance) : 0
  await instance.end()
  return { times, firstCount, trackP99 }
}

/** A project with `count` contacts, one in twenty of them unsubscribed. */
function fill(folder: string, projectId: string, count: number): void {
  millionContacts(folder, projectId, count)
  inside(folder, (db) => db.run("UPDATE contact SET subscribed = 0 WHERE seq % 20 = 0"))
}

function contactAt({ folder }: Instance, seq: number): { id: string; createdAt: number } {
  const query = "SELECT id, created_at AS createdAt FROM contact WHERE seq = ?"
  const { id, createdAt } = inside(folder, (db) => db.query(query).get(seq)) as { id: Uint8Array; createdAt: number }
  return { id: idOfBytes(id), createdAt }
}

/** The median time of a request in ms. */
async function timeOf(
  { url, project }: Instance,
  path: string | ((at: number) => string),
  times = requests,
): Promise<number> {
  const headers = { Authorization: `Bearer ${project.secret}` }
  const taken: number[] = []
  for (let at = 0; at < times; at++) {
    const started = performance.now()
    const answer = await fetch(url + (typeof path === "string" ? path : path(at)), { headers })
    await answer.text()
    taken.push(performance.now() - started)
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
  }
  return taken.sort((one, other) => one - other)[Math.floor(times / 2)] ?? Number.NaN
}

const trackBody = (name: string) =>
  `'{"email":"${name}' .. n .. '@example.com","event":"purchase","data":{"plan":"pro","amount":49}}'`

async function trackWhileCounting(instance: Instance): Promise<number> {
  const { url, project } = instance
  let over = false
  const searching = (async () => {
    // Every text is new, so that all contacts must be read.
    for (let at = 0; !over; at++) await timeOf(instance, `/contacts?search=r${at % 10}${Math.floor(at / 10) % 10}`, 1)
  })()
  const { p99Ms } = await wrk({
    url,
    path: "/v1/track",
    key: project.publicKey,
    body: trackBody("during"),
    connections: 8,
    seconds: 4,
  })
  over = true
  await searching
  return p99Ms
}

/** The cost of counts, list indexes and the search index for new contacts. */
async function newContacts(): Promise<Figure> {
  const seconds = 4
  const rate = async (prepare: (folder: string) => void) => {
    const { end, url, project } = await startInstance({}, prepare)
    const { perSecond } = await wrk({
      url,
      path: "/v1/track",
      key: project.publicKey,
      body: trackBody("new"),
      connections: 64,
      seconds,
    })
    await end()
    return perSecond
  }
  let [bare, ours] = [0, 0]
  for (const _ of ["once", "again"]) {
    bare = Math.max(bare, await rate(withoutHelp))
    ours = Math.max(ours, await rate(() => {}))
  }
  return ratioOf("track on new contacts, of the same without counts and search", ours, bare, 0.95, "wrk")
}

/** The table without support for long lists: one index by time, no counts, and no search index. */
const withoutHelp = (folder: string): void =>
  inside(folder, (db) => {
    db.run("DROP TRIGGER contact_added; DROP INDEX contact_unsubscribed; DROP INDEX contact_created")
    db.run("CREATE INDEX contact_created ON contact (project_id, created_at, id)")
    db.run("UPDATE contact_search_mark SET seq = 1000000000000")
  })
