import { join } from "node:path"
import { connections, startSink } from "./delivery.ts"
import { startProgram } from "./tools/process.ts"
import type { Figure } from "./tools/table.ts"

const count = 10_000
const rounds = 5
const script = join(import.meta.dir, "tools/ready-mail.ts")

interface Round {
  readonly perSecond: number
  /** Processor time per message, in ms. */
  readonly cpuMs: number
}

/** Handing over messages whose bytes are ready: our SMTP client and nodemailer's pool against raw sockets, in turns. */
export async function smtpClient(): Promise<Figure[]> {
  const sink = await startSink()
  const ways = ["raw", "own", "own by nodemailer", "pool"] as const
  const found = new Map<string, Round[]>(ways.map((way) => [way, []]))
  for (let round = 0; round < rounds; round++)
    for (const way of ways) found.get(way)?.push(await handOver(way, sink.port))
  await sink.stop()

  const of = (way: (typeof ways)[number], part: keyof Round) => median((found.get(way) ?? []).map((one) => one[part]))
  const raw = of("raw", "perSecond")
  const row = (what: string, way: (typeof ways)[number], atLeast: number): Figure => {
    const [perSecond, cpuMs] = [of(way, "perSecond"), of(way, "cpuMs")]
    const ratio = perSecond / raw
    return {
      what: `${what}, ready mail of 10 KB, ${connections} connections, CPU a mail`,
      value: shown(perSecond, cpuMs),
      limit: shown(raw, of("raw", "cpuMs")),
      ratio,
      target: atLeast > 0 ? `>= ${atLeast}` : "-",
      met: ratio >= atLeast,
      by: "smtp-sink",
    }
  }
  return [
    row("SMTP client", "own", 0.5),
    row("the same with ?client=nodemailer", "own by nodemailer", 0),
    row("nodemailer's own pool", "pool", 0),
    {
      what: "processor time of the SMTP client per mail",
      value: `${of("own", "cpuMs").toFixed(3)} ms`,
      target: "< 0.1 ms",
      met: of("own", "cpuMs") < 0.1,
      by: "smtp-sink",
    },
  ]
}

async function handOver(way: string, port: number): Promise<Round> {
  const command = [process.execPath, script, way, String(port), String(count), String(connections)]
  const run = await startProgram(command, /(sent in .* ms)/)
  await run.stop()
  const [ms = 0, cpuMs = 0] = run.found.match(/[\d.]+/g)?.map(Number) ?? []
  return { perSecond: count / (ms / 1_000), cpuMs: cpuMs / count }
}

const shown = (perSecond: number, cpuMs: number): string =>
  `${Math.round(perSecond).toLocaleString("en")}/s, ${cpuMs.toFixed(3)} ms`

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
