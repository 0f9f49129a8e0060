import { bytesOfId } from "../../src/kernel/ids.ts"
import { inside } from "./tools/contacts.ts"
import { type Instance, startInstance } from "./tools/instance.ts"
import { below, type Figure, ratioOf } from "./tools/table.ts"
import { wrk } from "./tools/wrk.ts"

const mails = 500_000
const requests = 500_000
const day = 86_400_000
/** Long enough to start the load before the sweep begins. */
const sweepSeconds = 4

/** A sweep of a million rows while events are tracked, and the cost of the request log. */
export async function retention(): Promise<Figure[]> {
  const settings = { MAILSTEAD_RETENTION_SWEEP_SECONDS: String(sweepSeconds), MAILSTEAD_RETENTION_CONTENT_DAYS: "30" }
  const instance = await startInstance(settings, fill)
  const { took, p99Ms } = await sweepUnderLoad(instance)
  const quiet = await track(instance, 5)
  const given = givenBack(instance) / 1_048_576
  await instance.end()
  return [
    below("track p99 during a sweep of 1,000,000 rows", p99Ms, "ms", 50, "wrk"),
    below("track p99 after it", quiet.p99Ms, "ms", 50, "wrk"),
    below("a sweep of 1,000,000 rows while events are tracked", took / 1_000, "s", 600, "wrk"),
    {
      what: "given back to the disk by it",
      value: `${given.toFixed(0)} MB`,
      target: "> 0 MB",
      met: given > 0,
      by: "the database",
    },
    await requestLog(),
  ]
}

/** Half of the mails are old and have content of their own; the log is old too. */
function fill(folder: string, projectId: string): void {
  inside(folder, (db) => {
    db.run("PRAGMA synchronous = OFF")
    const old = Date.now() - 100 * day
    const content = db.prepare(
      "INSERT INTO content (project_id, hash, subject, body, literal, headers, attachments, created_at, used_at) VALUES (?, ?, 'Hi', ?, 0, '{}', '[]', ?, ?)",
    )
    const mail = db.prepare(
      `INSERT INTO email (id, project_id, content_hash, variables, locale, to_address, from_address, subject, type, source_type,
         status, message_id, lane, due_at, created_at, updated_at)
       VALUES (?, ?, ?, '{"name":"Ada"}', 'en', 'ada@example.com', 'hi@acme.test', 'Hi', 'TRANSACTIONAL', 'TRANSACTIONAL',
         'DELIVERED', ?, 0, ?, ?, ?)`,
    )
    const request = db.prepare(
      "INSERT INTO request (project_id, at, method, route, status, duration, key) VALUES (?, ?, 'POST', '/v1/track', 200, 2000, 'public')",
    )
    const project = bytesOfId(projectId)
    const body = `<p>${"Hello {{name}}, this is one of many. ".repeat(20)}</p>`
    db.transaction(() => {
      // Each content is used by ten mails.
      for (let n = 0; n < mails / 10; n++) content.run(project, `hash${n}`, body, old, old)
      for (let n = 0; n < mails; n++) {
        const id = Bun.randomUUIDv7("hex", old + n)
        mail.run(bytesOfId(id), project, `hash${Math.floor(n / 10)}`, `${id}@acme.test`, old + n, old + n, old + n)
      }
      for (let n = 0; n < requests; n++) request.run(project, old + n)
    })()
  })
}

/** Whether all of it is deleted, and the space given back. */
const isOver = ({ folder }: Instance): boolean =>
  inside(folder, (db) => {
    const none = (query: string) => db.query(`${query} LIMIT 1`).get() === null
    const old = Date.now() - 50 * day
    return (
      none(`SELECT id FROM request WHERE at < ${old}`) &&
      none("SELECT hash FROM content") &&
      none("SELECT id FROM job WHERE kind = 'retention.sweep' AND state = 'running'")
    )
  })

/**
 * Tracks until everything old is deleted; resolves to the duration of the sweep in ms, and the median of the p99 of the
 * runs, because other programs disturb some.
 */
async function sweepUnderLoad(instance: Instance): Promise<{ took: number; p99Ms: number }> {
  const started = performance.now() + sweepSeconds * 1_000
  const runs: number[] = []
  while (!isOver(instance)) {
    runs.push((await track(instance, 4)).p99Ms)
    if (performance.now() - started > 900_000) throw new Error("The sweep does not end.")
  }
  return { took: performance.now() - started, p99Ms: runs.sort((a, b) => a - b)[runs.length >> 1] ?? Number.NaN }
}

const track = ({ url, project }: Instance, seconds: number, connections = 8) =>
  wrk({
    url,
    path: "/v1/track",
    key: project.publicKey,
    body: `'{"email":"user' .. n % 1000 .. '@example.com","event":"login","data":{"amount":49}}'`,
    connections,
    seconds,
  })

/** The bytes by which the file was cut. */
const givenBack = ({ folder }: Instance): number =>
  inside(
    folder,
    (db) => db.query("SELECT coalesce(sum(bytes), 0) AS n FROM freed WHERE name = 'disk'").get() as { n: number },
  ).n

/** The rate of requests with the log, of the same without it. */
async function requestLog(): Promise<Figure> {
  const rate = async (days: string) => {
    const instance = await startInstance({ MAILSTEAD_RETENTION_REQUEST_LOG_DAYS: days })
    const { perSecond } = await track(instance, 6, 64)
    await instance.end()
    return perSecond
  }
  let [bare, ours] = [0, 0]
  for (const _ of ["once", "again", "and again"]) {
    bare = Math.max(bare, await rate("0"))
    ours = Math.max(ours, await rate("30"))
  }
  return ratioOf("track with the request log, of the same without", ours, bare, 0.95, "wrk")
}
