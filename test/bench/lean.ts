import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Running, startProgram } from "./tools/process.ts"
import { below, type Figure } from "./tools/table.ts"

const executable = join(import.meta.dir, "../../dist/mailstead")
const captured = 20_000
const runs = 5

/**
 * What the executable takes when little happens: the time from its start until `/health` answers 200 (the median of some
 * starts), the memory of a sandbox that has captured mail, and the processor time of a minute in which nothing happens.
 */
export async function lean(): Promise<Figure[]> {
  if (!existsSync(executable)) throw new Error("There is no dist/mailstead: bun run build")
  return [...(await starts()), ...(await sandbox())]
}

const temporary = () => mkdtempSync(join(tmpdir(), "mailstead-lean-"))

async function starts(): Promise<Figure[]> {
  const empty: number[] = []
  const full: number[] = []
  for (let run = 0; run < runs; run++) {
    const folder = temporary()
    for (const times of [empty, full]) times.push(await untilHealthy(join(folder, "data"), 21_000 + run))
    rmSync(folder, { recursive: true, force: true })
  }
  return [
    below("executable healthy, empty folder", median(empty), "ms", 150, "fork and exec"),
    below("executable healthy, existing data", median(full), "ms", 100, "fork and exec"),
  ]
}

async function untilHealthy(data: string, port: number): Promise<number> {
  const startedAt = performance.now()
  const child = Bun.spawn([executable, "serve", "--port", `${port}`, "--data", data], { stdout: "ignore", env: {} })
  const isHealthy = () =>
    fetch(`http://127.0.0.1:${port}/health`).then(
      ({ status }) => status === 200,
      () => false,
    )
  while (!(await isHealthy())) {
    if (child.exitCode !== null) throw new Error("The server ended.")
    await Bun.sleep(2)
  }
  const ms = performance.now() - startedAt
  child.kill("SIGTERM")
  await child.exited
  return ms
}

async function sandbox(): Promise<Figure[]> {
  const folder = temporary()
  const smtpPort = 21_100
  const command = [executable, "serve", "--sandbox", "--port", "0", "--data", join(folder, "data")]
  const server = await startProgram(command, /SMTP on \S+:(\d+)/, {
    MAILSTEAD_SMTP_SUBMISSION_PORT: `${smtpPort}`,
    MAILSTEAD_LIMITS_EMAILS_PER_SECOND: "0",
    // Otherwise half of the messages are deleted within ten minutes.
    MAILSTEAD_SANDBOX_KEEP_MESSAGES: "0",
  })
  await capture(smtpPort)
  const busy = server.memory()
  await Bun.sleep(30_000)
  const quiet = server.memory()
  const idle = await idleMinute(server)
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
  return [
    below(`resident memory right after ${captured} captured messages`, busy, "MB", 250, "8 connections"),
    below(`resident memory with ${captured} captured messages`, quiet, "MB", 110, "nothing"),
    below("processor time of an idle minute", idle, "ms", 60, "nothing"),
  ]
}

/** Processor time in ms of a minute. */
async function idleMinute(server: Running): Promise<number> {
  const before = server.cpuMs()
  await Bun.sleep(60_000)
  return server.cpuMs() - before
}

const lines = "Lorem ipsum dolor sit amet, an ordinary line of text.\r\n".repeat(20)

/** Messages of 1 KB over eight connections. */
async function capture(port: number): Promise<void> {
  let next = 0
  const send = async () => {
    const { say, end } = await connect(port)
    await say("EHLO bench\r\n")
    for (let n = next++; n < captured; n = next++) {
      await say(`MAIL FROM:<a${n}@example.com>\r\n`)
      await say(`RCPT TO:<b${n}@example.com>\r\n`)
      await say("DATA\r\n")
      await say(`From: a${n}@example.com\r\nTo: b${n}@example.com\r\nSubject: Hello ${n}\r\n\r\n${lines}.\r\n`)
    }
    end()
  }
  await Promise.all(Array.from({ length: 8 }, send))
}

/** A connection that has been greeted; `say` resolves when the reply is complete, and rejects when it is a refusal. */
async function connect(port: number) {
  let reply = Promise.withResolvers<void>()
  let text = ""
  const socket = await Bun.connect({
    port,
    hostname: "127.0.0.1",
    socket: {
      data(_, bytes) {
        text += bytes.toString()
        const last = /^(\d)\d\d [^\n]*\n$/m.exec(text)
        if (last === null) return
        text = ""
        if (last[1] === "2" || last[1] === "3") reply.resolve()
        else reply.reject(new Error(last[0]))
      },
      close: () => reply.reject(new Error("The server has closed the connection.")),
    },
  })
  await reply.promise
  return {
    async say(command: string): Promise<void> {
      reply = Promise.withResolvers()
      socket.write(command)
      await reply.promise
    },
    end: () => void socket.end(),
  }
}

const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN
