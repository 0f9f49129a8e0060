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
 * empty handler; and against Mailpit if `BENCH_MAILPIT` names its program. The mail is text of 10 KB.
 */
export async function intake(): Promise<Figure[]> {
  const program = process.env.BENCH_MAILPIT
  const figures: Figure[] = []
  for (const way of ["reused", "fresh"] as const) {
    const by = (server: Server) => () => loadServer(server, way)
    const found = await inTurns({ sink: by(sink), library: by(library), ours: by(ours) })
    const row = (name: string, results: { ours: Result; against: Result }, atLeast: number): Figure =>
      compared(`sandbox intake, 10 KB, durable, ${sessions} ${words[way]}, against ${name}`, {
        ...results,
        atLeast,
        by: "smtp-source",
      })
    figures.push(row("smtp-sink", { ours: found.ours, against: found.sink }, { reused: 0.3, fresh: 0.35 }[way]))
    figures.push(row("smtp-server", { ours: found.ours, against: found.library }, 0))
    if (program === undefined) continue
    const rivals = await inTurns({ rival: by(mailpit(program)), ours: by(ours) })
    figures.push(row("Mailpit", { ours: rivals.ours, against: rivals.rival }, { reused: 5, fresh: 3 }[way]))
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

async function loadServer({ start }: Server, way: Way): Promise<Round> {
  const folder = mkdtempSync(join(tmpdir(), "mailstead-intake-"))
  const mail = join(folder, "mail.txt")
  writeFileSync(mail, text)
  const server = await start(folder)
  await load(server.found, mail, 3_000, way)
  const count = counts[way]
  const found = await measured(server, async () => ({ perSecond: await load(server.found, mail, count, way), count }))
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
