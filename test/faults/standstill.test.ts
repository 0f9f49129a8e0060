import { Database } from "bun:sqlite"
import { afterEach, expect, test } from "bun:test"
import { join } from "node:path"
import { withModules } from "../../src/app.ts"
import { loadConfig } from "../../src/config.ts"
import { startApiServer } from "../harness/api-server.ts"
import { type RunningMailstead, startServer } from "../harness/mailstead.ts"
import { startSink } from "../harness/smtp-sink.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
let server: RunningMailstead | undefined
afterEach(() => server?.kill())

const recipients = Array.from({ length: 2 }, (_, at) => `r${at}@example.com`)

/** Sends a mail to each recipient by this transport; resolves to what the ledger says of them after a graceful stop. */
async function sendBy(transport: string, arrived: Promise<void>): Promise<unknown> {
  const home = folder()
  const { config } = loadConfig({ options: { data: home } })
  const { secret } = await withModules(config, async ({ projects, domains }) => {
    const project = await projects.create("Acme")
    await domains.add(project.id, "acme.test", { vouched: true })
    return project
  })
  server = await startServer(home, { MAILSTEAD_MAIL_URL: transport })
  const response = await fetch(`${server.url}/v1/send`, {
    method: "POST",
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
    body: JSON.stringify({ to: recipients, from: "hi@acme.test", subject: "Hello", body: "<p>Hello</p>" }),
  })
  expect(response.status).toBe(200)
  await arrived
  expect(await server.stop()).toBe(0)
  const db = new Database(join(home, "mailstead.db"), { readonly: true })
  const ledger = db.query("SELECT status, error, attempt, count(*) AS mails FROM email GROUP BY 1, 2, 3").all()
  db.close()
  return ledger
}

/** Stops the process of the server while it waits for an answer, and lets it go on after a while; resolves then. */
async function standStill(ms: number): Promise<void> {
  const { pid } = server ?? { pid: 0 }
  Bun.sleepSync(50)
  process.kill(pid, "SIGSTOP")
  await Bun.sleep(ms)
  process.kill(pid, "SIGCONT")
}

const allSent = [{ status: "SENT", error: null, attempt: 1, mails: recipients.length }]

test("an SMTP server may answer while the process stands still beyond the time limit, contract A4.5.6", async () => {
  const sink = await startSink({ extensions: ["PIPELINING"] })
  // The reply to each message goes to the stopped process.
  sink.always("dot", () => void standStill(2_500))
  const ledger = await sendBy(
    `smtp://127.0.0.1:${sink.port}?tls=off&pool=1&timeout=2`,
    sink.reached("dot", recipients.length),
  )
  await sink.stop()
  expect(ledger).toEqual(allSent)
  expect(sink.messages.length).toBe(recipients.length)
})

test("Postmark may answer while the process stands still beyond the time limit, contract A4.5.6", async () => {
  const answered = Promise.withResolvers<void>()
  let taken = 0
  const postmark = await startApiServer(({ path, body }) => {
    if (path !== "/email/batch") return { status: 200, body: { ID: 1 } }
    const messages = JSON.parse(body) as { readonly To: string }[]
    taken += messages.length
    if (taken >= recipients.length) answered.resolve()
    void standStill(2_500)
    return { status: 200, body: messages.map(({ To }) => ({ ErrorCode: 0, MessageID: To, To })) }
  })
  const endpoint = encodeURIComponent(postmark.url)
  const ledger = await sendBy(`postmark://test-token?endpoint=${endpoint}&pool=1&timeout=2`, answered.promise)
  await postmark.stop()
  expect(ledger).toEqual(allSent)
  expect(taken).toBe(recipients.length)
})
