import { Database } from "bun:sqlite"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { withModules } from "../../../src/app.ts"
import { loadConfig } from "../../../src/config.ts"
import { bytesOfId } from "../../../src/kernel/ids.ts"
import { type RunningMailstead, startServer } from "../../harness/mailstead.ts"
import { createLoad, type Keys } from "./load.ts"
import { startSink } from "./sink.ts"
import { judge, type Tally } from "./verdict.ts"

interface TortureOptions {
  readonly kills: number
  /** Concurrent requests. */
  readonly clients: number
  /** A number in [0, 1) for how much is acknowledged before each kill, and how long after that it comes. */
  readonly random: () => number
  /** How the server is started; `startServer` when absent. */
  readonly start?: typeof startServer
  readonly progress?: (killed: number, errands: number) => void
}

const mostAcknowledged = 100

/** Kills the server at random moments under a mixed load, restarts it, and at the end verifies what it acknowledged. */
export async function torture({
  kills,
  clients,
  random,
  progress,
  start = startServer,
}: TortureOptions): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), "mailstead-torture-"))
  const sink = await startSink()
  const settings = {
    MAILSTEAD_MAIL_URL: `smtp://127.0.0.1:${sink.port}?tls=off&pool=8`,
    MAILSTEAD_LIMITS_REQUESTS_PER_MINUTE: "0",
    MAILSTEAD_LIMITS_EMAILS_PER_SECOND: "0",
  }
  try {
    const load = createLoad(await prepare(folder), clients)
    for (let killed = 0; killed < kills; killed++) {
      const server = await start(folder, settings)
      const gone = new AbortController()
      // Every fourth time there are no requests, so that bulk mail, which goes last, is sent too.
      const working = killed % 4 === 3 ? undefined : load.run(server.url, gone.signal)
      if (working) await load.acknowledges(Math.floor(random() * mostAcknowledged))
      await Bun.sleep(random() * (working ? 30 : 300))
      await server.kill()
      gone.abort()
      await working
      progress?.(killed + 1, load.errands.length)
    }
    const server = await start(folder, settings)
    await load.run(server.url, new AbortController().signal, () => load.unfinished.length > 0)
    await emptied(folder, server)
    return judge(folder, load.errands, sink, kills)
  } finally {
    await sink.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A project with a verified domain and a marketing template, whose mail is bulk. */
async function prepare(folder: string): Promise<Keys> {
  const { config } = loadConfig({ options: { data: folder } })
  const project = await withModules(config, async ({ projects, domains }) => {
    const created = await projects.create("Torture")
    await domains.add(created.id, "acme.test", { vouched: true })
    return created
  })
  const templateId = Bun.randomUUIDv7()
  const db = new Database(join(folder, "mailstead.db"), { readwrite: true })
  db.query(
    `INSERT INTO template (id, project_id, name, subject, body, from_address, type, created_at, updated_at)
     VALUES (?, ?, 'News', 'News {{number}}', '<p>News for {{email}}</p>', 'news@acme.test', 'MARKETING', 0, 0)`,
  ).run(bytesOfId(templateId), bytesOfId(project.id))
  db.close()
  return { secret: project.secret, publicKey: project.publicKey, templateId }
}

const longestWaitMs = 100_000

/** Waits until the ledger has nothing more to send, then stops the server gracefully. */
async function emptied(folder: string, server: RunningMailstead): Promise<void> {
  const db = new Database(join(folder, "mailstead.db"), { readonly: true })
  const waiting = db.query("SELECT count(*) AS n FROM email WHERE status IN ('PENDING', 'SENDING')")
  for (let waited = 0; (waiting.get() as { n: number }).n > 0; waited += 50) {
    if (waited > longestWaitMs) throw new Error("The ledger did not empty in time.")
    await Bun.sleep(50)
  }
  db.close()
  const code = await server.stop()
  if (code !== 0) throw new Error(`The server stopped with exit code ${code}.`)
}
