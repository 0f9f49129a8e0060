import { Database } from "bun:sqlite"
import { createServer } from "node:net"
import { join } from "node:path"
import { type Instance, startInstance } from "./tools/instance.ts"
import { startProgram } from "./tools/process.ts"
import { seedBulkMail } from "./tools/seed-mail.ts"
import { below, type Figure, ratioOf } from "./tools/table.ts"
import { wrk } from "./tools/wrk.ts"

const count = 20_000
export const connections = 16
const baseline = 4_000

/** Delivery of bulk mail to smtp-sink against nodemailer's pool alone, and requests meanwhile. */
export async function delivery(): Promise<Figure[]> {
  const sink = await startSink()
  const bare = await poolAlone(sink.port)

  const alone = await startLoaded(sink.port)
  const perSecond = await delivered(alone)
  const memory = alone.memory()
  await alone.end()

  const shared = await startLoaded(sink.port)
  const { publicKey, secret } = shared.project
  const url = shared.url
  const track = await wrk({ url, path: "/v1/track", key: publicKey, body: trackBody, connections: 4, seconds: 4 })
  const send = await wrk({ url, path: "/v1/send", key: secret, body: sendBody, connections: 4, seconds: 4 })
  const stillGoing = waitingIn(shared) > 0
  await shared.end()

  const busy = await startLoaded(sink.port)
  const whileSending = await sentDuring(busy, () =>
    wrk({ url: busy.url, path: "/v1/send", key: busy.project.secret, body: sendBody, connections: 64, seconds: 5 }),
  )
  await busy.end()
  await sink.stop()

  return [
    ratioOf(
      `delivery of ${count.toLocaleString("en")} x 10 KB, ${connections} connections`,
      perSecond,
      bare,
      0.8,
      "smtp-sink",
    ),
    ratioOf("the same while 64 clients send, any mail", whileSending, perSecond, 0.9, "smtp-sink, wrk"),
    below("resident memory at its end", memory, "MB", 350, "smtp-sink"),
    below(`track p99 meanwhile${stillGoing ? "" : " (ended early)"}`, track.p99Ms, "ms", 50, "wrk"),
    below("send p99 meanwhile", send.p99Ms, "ms", 50, "wrk"),
  ]
}

const trackBody = `'{"email":"user' .. (n % 20000) .. '@example.com","event":"purchase","data":{"plan":"pro"}}'`
const sendBody = `'{"to":"user' .. (n % 20000) .. '@example.com","from":"shop@acme.test","subject":"Order","body":"<p>Thank you.</p>"}'`

const startLoaded = (sinkPort: number): Promise<Instance> =>
  startInstance(
    { MAILSTEAD_MAIL_URL: `smtp://127.0.0.1:${sinkPort}?tls=off&pool=${connections}` },
    (folder, projectId) => seedBulkMail(folder, projectId, count),
  )

const waitingIn = ({ folder }: Instance): number => {
  const db = new Database(join(folder, "mailstead.db"), { readonly: true })
  const { n } = db
    .query("SELECT count(*) AS n FROM email WHERE status IN ('PENDING', 'SENDING') AND lane = 2")
    .get() as { n: number }
  db.close()
  return n
}

/** Messages of any lane that are sent per second while some work runs. */
async function sentDuring({ folder }: Instance, work: () => Promise<unknown>): Promise<number> {
  const db = new Database(join(folder, "mailstead.db"), { readonly: true })
  const sent = db.query<{ n: number }, []>("SELECT count(*) AS n FROM email WHERE sent_at IS NOT NULL")
  const [before, started] = [sent.get()?.n ?? 0, performance.now()]
  await work()
  const perSecond = ((sent.get()?.n ?? 0) - before) / ((performance.now() - started) / 1_000)
  db.close()
  return perSecond
}

/** Messages per second until the ledger has none waiting; start-up is not counted. */
export async function delivered(instance: Instance): Promise<number> {
  const before = waitingIn(instance)
  const started = performance.now()
  const db = new Database(join(instance.folder, "mailstead.db"), { readonly: true })
  // By its indexes, because a count of what is left would take a tenth of a processor from what is measured.
  const next = db.query(`SELECT EXISTS (SELECT 1 FROM email WHERE status = 'PENDING' AND lane = 2)
    OR EXISTS (SELECT 1 FROM email WHERE lease_until IS NOT NULL) AS found`)
  while ((next.get() as { found: number }).found === 1) {
    await Bun.sleep(50)
    if (performance.now() - started > 120_000) throw new Error("The delivery did not end within two minutes.")
  }
  db.close()
  return before / ((performance.now() - started) / 1_000)
}

async function poolAlone(port: number): Promise<number> {
  const script = join(import.meta.dir, "tools/bare-pool.ts")
  const command = [process.execPath, script, String(port), String(baseline), String(connections)]
  const run = await startProgram(command, /sent in ([\d.]+) ms/)
  await run.stop()
  return baseline / (Number(run.found) / 1_000)
}

interface Sink {
  readonly port: number
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>
  stop(): Promise<void>
}

/** smtp-sink, until it is stopped or has taken so many messages. */
export async function startSink({ messages }: { readonly messages?: number } = {}): Promise<Sink> {
  const port = await freePort()
  const program = Bun.which("smtp-sink", { PATH: `${process.env.PATH}:/usr/sbin` })
  if (program === null) throw new Error("smtp-sink is missing: apt-get install postfix")
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : []
  const most = messages === undefined ? [] : ["-M", String(messages)]
  const sink = Bun.spawn([program, ...user, ...most, `127.0.0.1:${port}`, "256"], {
    stdout: "ignore",
    stderr: "ignore",
  })
  await listens(port)
  return {
    port,
    ended: sink.exited,
    async stop() {
      sink.kill()
      await sink.exited
    },
  }
}

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0))
    })
  })

async function listens(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    try {
      const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } })
      socket.end()
      return
    } catch {
      await Bun.sleep(20)
    }
  }
  throw new Error(`Nothing listens on port ${port}.`)
}
