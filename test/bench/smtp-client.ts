import { join } from "node:path"
import { connections, startSink } from "./delivery.ts"
import { startProgram } from "./tools/process.ts"
import { compared, inTurns, type Result, type Round } from "./tools/rounds.ts"
import type { Figure } from "./tools/table.ts"

const count = 10_000
const script = join(import.meta.dir, "tools/ready-mail.ts")

/** Handing over messages whose bytes are ready: our SMTP client and nodemailer's pool against raw sockets. */
export async function smtpClient(): Promise<Figure[]> {
  const sink = await startSink()
  const by = (way: string) => () => readyMail(way, sink.port, count)
  const found = await inTurns({ raw: by("raw"), own: by("own"), nodemailer: by("own by nodemailer"), pool: by("pool") })
  await sink.stop()

  const row = (what: string, ours: Result, atLeast: number): Figure =>
    compared(`${what}, ready mail of 10 KB, ${connections} connections`, {
      ours,
      against: found.raw,
      atLeast,
      by: "smtp-sink",
    })
  return [
    row("SMTP client", found.own, 0.5),
    row("the same with ?client=nodemailer", found.nodemailer, 0),
    row("nodemailer's own pool", found.pool, 0),
    {
      what: "processor time of the SMTP client per mail",
      value: `${found.own.cpuMs.median.toFixed(3)} ms`,
      target: "< 0.1 ms",
      met: found.own.cpuMs.median < 0.1,
      by: "smtp-sink",
    },
  ]
}

/** Hands over messages of 10 KB whose bytes are ready, in one of the ways of the script. */
export async function readyMail(way: string, port: number, count: number): Promise<Round> {
  const command = [process.execPath, script, way, String(port), String(count), String(connections)]
  const run = await startProgram(command, /(sent in .* ms)/)
  await run.stop()
  const [ms = 0, cpuMs = 0] = run.found.match(/[\d.]+/g)?.map(Number) ?? []
  return { perSecond: count / (ms / 1_000), cpuMs: cpuMs / count }
}
