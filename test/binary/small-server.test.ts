import { afterEach, beforeEach, expect, test } from "bun:test"
import { join } from "node:path"
import { backupDue, fillFolder, inDatabase } from "../harness/backups.ts"
import { childrenOf, heldMegabytes } from "../harness/processes.ts"
import { connectSmtp } from "../harness/smtp-client.ts"
import { until } from "../harness/store.ts"
import { emptyPlace, type Place } from "./program.ts"

/** What `MemoryMax=256M` in the unit leaves a small server together with the processes that it starts, in MB. */
const limit = 256
const noLimits = { MAILSTEAD_LIMITS_REQUESTS_PER_MINUTE: "0", MAILSTEAD_LIMITS_EMAILS_PER_SECOND: "0" }

let place: Place
let data: string
beforeEach(() => {
  place = emptyPlace()
  data = join(place.folder, "data")
})
afterEach(() => place.remove())

/** Measures some processes together, on Linux, where systemd is. */
function measure(...pids: number[]) {
  let peak = 0
  return {
    look() {
      peak = Math.max(
        peak,
        pids.reduce((sum, pid) => sum + heldMegabytes(pid), 0),
      )
    },
    peak: () => peak,
  }
}

const body = "<p>An ordinary paragraph of a mail that says nothing new.</p>\r\n".repeat(160)

/** Runs `work` for each number below `count`, eight at a time. */
async function eightAtATime(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const run = async () => {
    for (let n = next++; n < count; n = next++) await work(n)
  }
  await Promise.all(Array.from({ length: 8 }, run))
}

async function capture(port: number, n: number): Promise<void> {
  const client = await connectSmtp(port)
  await client.reply()
  await client.envelope("app@example.com", `u${n}@example.com`)
  const message = `From: app@acme.test\r\nSubject: ${n}\r\nContent-Type: text/html\r\n\r\n${body}`
  expect((await client.data(message)).code).toBe(250)
  client.end()
}

async function send(url: string, key: string, n: number): Promise<void> {
  const answer = await fetch(`${url}/v1/send`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ to: `u${n}@example.com`, from: "app@acme.test", subject: `${n}`, body }),
  })
  expect(await answer.json()).toMatchObject({ success: true })
}

const emailsOf = async (url: string, key: string): Promise<number> => {
  const list = await fetch(`${url}/emails?limit=100`, { headers: { Authorization: `Bearer ${key}` } })
  return ((await list.json()) as { total: number }).total
}

const urlIn = (printed: string): string => /listening on (\S+)/.exec(printed)?.[1] ?? ""

test("mail by SMTP and API, the inbox, and a backup of it all take a sandbox less than 256 MB", async () => {
  const command = ["sandbox", "--port", "0", "--smtp-port", "0", "--data", data]
  const server = await place.start(command, /Stop with/, noLimits)
  const url = urlIn(server.printed)
  const smtpPort = Number(/SMTP\s+127\.0\.0\.1:(\d+)/.exec(server.printed)?.[1])
  const memory = measure(server.pid)
  const [messages, sends] = [600, 200]
  await Promise.all([
    eightAtATime(messages, (n) => capture(smtpPort, n).then(memory.look)),
    eightAtATime(sends, (n) => send(url, "sk_sandbox", n)),
  ])
  expect(await emailsOf(url, "sk_sandbox")).toBe(messages + sends)
  const { code, stderr } = await place.run(["backup", "all.tar.zst", "--data", data])
  memory.look()
  expect([code, stderr]).toEqual([0, ""])
  expect(await server.stop()).toBe(0)
  expect(memory.peak()).toBeLessThan(limit)
}, 110_000)

test("a server that sends during a backup of its schedule takes less than 256 MB with it, and refuses nothing", async () => {
  const { id, secret } = await fillFolder(data, 10)
  await place.run(["domain", "add", "acme.test", "--verified", "--project", id, "--data", data])
  const server = await place.start(["serve", "--port", "0", "--data", data], /listening on/, {
    ...noLimits,
    ...backupDue(data),
  })
  const states = () => inDatabase(data, (db) => db.query("SELECT coalesce(reason, state) FROM backup").values().flat())
  await until(() => childrenOf(server.pid).length > 0)
  expect(states()).toEqual(["RUNNING"])
  const memory = measure(server.pid, ...childrenOf(server.pid))
  const url = urlIn(server.printed)
  let sent = 0
  const sendOn = async () => {
    while (states().includes("RUNNING")) {
      await send(url, secret, sent++)
      memory.look()
    }
  }
  await Promise.all(Array.from({ length: 8 }, sendOn))
  expect(states()).toEqual(["DONE"])
  expect(sent).toBeGreaterThan(8)
  expect(await emailsOf(url, secret)).toBe(sent)
  expect(await server.stop()).toBe(0)
  expect(memory.peak()).toBeLessThan(limit)
}, 110_000)
