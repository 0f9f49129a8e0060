import { Database } from "bun:sqlite"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "./delivery.ts"
import { type Running, runTool, startListening, startProgram } from "./tools/process.ts"
import { compared, inTurns, measured, type Result, type Round } from "./tools/rounds.ts"
import type { Figure } from "./tools/table.ts"

const main = join(import.meta.dir, "../../src/main.ts")
const bareServer = join(import.meta.dir, "tools/bare-smtp.ts")
const size = 10_240
const sessions = 8
const counts = { reused: 10_000, fresh: 4_000 }
type Way = keyof typeof counts

interface Server {
  readonly name: string
  /** Starts it with an empty folder; `found` is its SMTP port. */
  readonly start: (folder: string) => Promise<Running>
  /** Resolves when the texts of so many messages are found by a search; left out where that is before the reply. */
  readonly searchable?: (folder: string, count: number) => Promise<void>
}

const sink: Server = {
  name: "smtp-sink",
  start: async () => {
    const port = await freePort()
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? ["-u", "nobody"] : []
    return startListening(["/usr/sbin/smtp-sink", ...user, `127.0.0.1:${port}`, "256"], port)
  },
}

const library: Server = {
  name: "smtp-server",
  start: () => startProgram([process.execPath, bareServer], /listening on (\d+)/),
}

const ours: Server = {
  name: "ours",
  start: (folder) => {
    const command = [process.execPath, main, "sandbox", "--port", "0", "--smtp-port", "0", "--data", folder]
    return startProgram(command, /SMTP\s+127\.0\.0\.1:(\d+)/)
  },
  async searchable(folder, count) {
    const db = new Database(join(folder, "mailstead.db"), { readonly: true })
    const texts = db.query<{ count: number }, []>("SELECT count(*) AS count FROM inbox_text")
    while ((texts.get()?.count ?? 0) < count) await Bun.sleep(50)
    db.close()
  },
}

const mailpit = (program: string): Server => ({
  name: "Mailpit",
  start: async (folder) => {
    const port = await freePort()
    const listen = ["--smtp", `127.0.0.1:${port}`, "--listen", `127.0.0.1:${await freePort()}`]
    return startListening([program, ...listen, "--database", join(folder, "mailpit.db"), "--max", "0", "--quiet"], port)
  },
})

/**
 * SMTP intake of the sandbox, durable, against servers that keep nothing: smtp-sink, and the smtp-server package with an
 * empty handler; and against Mailpit if `BENCH_MAILPIT` names its program. The mail is text of 10 KB. Texts are read after a
 * burst: the processor time is that with them, and a row has the rate until all of them are found by a search.
 */
export async function intake(): Promise<Figure[]> {
  const program = process.env.BENCH_MAILPIT
  const figures: Figure[] = []
  for (const way of ["reused", "fresh"] as const) {
    const by =
      (server: Server, until: Until = "accepted") =>
      () =>
        loadServer(server, way, until)
    const found = await inTurns({ sink: by(sink), library: by(library), ours: by(ours) })
    const row = (
      name: string,
      results: { ours: Result; against: Result },
      atLeast: number,
      until = "durable",
    ): Figure =>
      compared(`sandbox intake, 10 KB, ${until}, ${sessions} ${words[way]}, against ${name}`, {
        ...results,
        atLeast,
        by: "smtp-source",
      })
    figures.push(row("smtp-sink", { ours: found.ours, against: found.sink }, { reused: 0.3, fresh: 0.35 }[way]))
    figures.push(row("smtp-server", { ours: found.ours, against: found.library }, 0))
    if (program === undefined) continue
    const { rival, ...rivals } = await inTurns({
      rival: by(mailpit(program)),
      ours: by(ours),
      searchable: by(ours, "searchable"),
    })
    figures.push(row("Mailpit", { ours: rivals.ours, against: rival }, { reused: 5, fresh: 3 }[way]))
    figures.push(row("Mailpit", { ours: rivals.searchable, against: rival }, 0, "until it is found by a search"))
  }
  const rival: Figure = {
    what: "sandbox intake against Mailpit",
    value: "not measured: BENCH_MAILPIT names no program",
    target: ">= 5, >= 3",
    met: false,
    by: "smtp-source",
  }
  return program === undefined ? [...figures, rival] : figures
}

const words = { reused: "connections reused", fresh: "at a time, each with a new connection" } as const

type Until = "accepted" | "searchable"
const warmUp = 3_000

async function loadServer({ start, searchable }: Server, way: Way, until: Until): Promise<Round> {
  const folder = mkdtempSync(join(tmpdir(), "mailstead-intake-"))
  const mail = join(folder, "mail.txt")
  writeFileSync(mail, text)
  const server = await start(folder)
  await load(server.found, mail, warmUp, way)
  await searchable?.(folder, warmUp)
  const count = counts[way]
  const found = await measured(server, async () => {
    const started = performance.now()
    const accepted = await load(server.found, mail, count, way)
    await searchable?.(folder, warmUp + count)
    const whole = count / ((performance.now() - started) / 1_000)
    return { perSecond: until === "accepted" ? accepted : whole, count }
  })
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
  return found
}

/** Messages per second of smtp-source. */
async function load(port: string, mail: string, count: number, way: Way): Promise<number> {
  const started = performance.now()
  const options = ["-s", String(sessions), "-F", mail, "-m", String(count), ...(way === "reused" ? ["-d"] : [])]
  const envelope = ["-f", "app@acme.test", "-t", "ada@example.com", `127.0.0.1:${port}`]
  await runTool(["/usr/sbin/smtp-source", ...options, ...envelope], "postfix")
  return count / ((performance.now() - started) / 1_000)
}

const head =
  "From: App <app@acme.test>\nTo: Ada <ada@example.com>\nSubject: Your order\nMessage-ID: <order@acme.test>\n\n"
/** Lines that differ, as those of real mail do. */
const lines = Array.from(
  { length: 200 },
  (_, n) => `Line ${n}: order ${(n * 7_919) % 10_007} leaves on ${n % 31}/${n % 12}, we write again.`,
)
const text = `${head}${lines.join("\n").slice(0, size - head.length)}\n`
