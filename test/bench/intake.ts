import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "./delivery.ts"
import { type Running, runTool, startListening, startProgram } from "./tools/process.ts"
import type { Figure } from "./tools/table.ts"

const main = join(import.meta.dir, "../../src/main.ts")
const bareServer = join(import.meta.dir, "tools/bare-smtp.ts")
const size = 10_240
const sessions = 8
const rounds = 5
const counts = { reused: 10_000, fresh: 4_000 }
type Way = keyof typeof counts

interface Round {
  readonly perSecond: number
  /** Processor time of the server per message, in ms, all of its threads. */
  readonly cpuMs: number
}

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
 * SMTP intake of the sandbox, durable, in turns with servers that keep nothing: smtp-sink, and the smtp-server package with
 * an empty handler; and with Mailpit if `BENCH_MAILPIT` names its program. The mail is text of 10 KB.
 */
export async function intake(): Promise<Figure[]> {
  const program = process.env.BENCH_MAILPIT
  const servers = [sink, library, ours, ...(program ? [mailpit(program)] : [])]
  const found = new Map<string, Round[]>()
  for (let round = 0; round < rounds; round++)
    for (const server of servers)
      for (const [key, one] of await loadServer(server)) found.set(key, [...(found.get(key) ?? []), one])

  const of = (server: Server, way: Way, part: keyof Round) =>
    median((found.get(`${server.name} ${way}`) ?? []).map((one) => one[part]))
  const row = (way: Way, against: Server, atLeast: number): Figure => {
    const ratio = of(ours, way, "perSecond") / of(against, way, "perSecond")
    const shown = (server: Server) =>
      `${Math.round(of(server, way, "perSecond")).toLocaleString("en")}/s, ${of(server, way, "cpuMs").toFixed(3)} ms`
    return {
      what: `sandbox intake, 10 KB, durable, ${sessions} ${words[way]}, CPU a mail, against ${against.name}`,
      value: shown(ours),
      limit: shown(against),
      ratio,
      target: atLeast > 0 ? `>= ${atLeast}` : "-",
      met: ratio >= atLeast,
      by: "smtp-source",
    }
  }
  const rival: Figure = {
    what: "sandbox intake against Mailpit",
    value: "not measured: BENCH_MAILPIT names no program",
    target: ">= 5, >= 3",
    met: false,
    by: "smtp-source",
  }
  return [
    row("reused", sink, 0.3),
    row("fresh", sink, 0.35),
    row("reused", library, 0),
    row("fresh", library, 0),
    ...(program ? [row("reused", mailpit(program), 5), row("fresh", mailpit(program), 3)] : [rival]),
  ]
}

const words = { reused: "connections reused", fresh: "at a time, each with a new connection" } as const

/** One round: a warm-up, then both ways. */
async function loadServer({ name, start }: Server): Promise<[string, Round][]> {
  const folder = mkdtempSync(join(tmpdir(), "mailstead-intake-"))
  const mail = join(folder, "mail.txt")
  writeFileSync(mail, text)
  const server = await start(folder)
  const measured: [string, Round][] = []
  await load(server.found, mail, 3_000, "reused")
  for (const way of ["reused", "fresh"] as const) {
    const before = server.cpuMs()
    const perSecond = await load(server.found, mail, counts[way], way)
    measured.push([`${name} ${way}`, { perSecond, cpuMs: (server.cpuMs() - before) / counts[way] }])
  }
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
  return measured
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

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
