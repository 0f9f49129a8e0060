import { afterEach, beforeEach, expect, test } from "bun:test"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { startSink } from "../harness/smtp-sink.ts"
import { until } from "../harness/store.ts"
import { emptyPlace, type Place } from "./program.ts"

let place: Place
beforeEach(() => {
  place = emptyPlace()
})
afterEach(() => place.remove())

const plugin = (body: string) => `
export default {
  schemes: [],
  create(url) {
    return {
      name: "to-file",
      limits: { concurrency: 1, batch: 10 },
      async send(messages) { ${body} },
      async close() {},
    }
  },
}
`

const writing = `
  const { appendFileSync } = await import("node:fs")
  for (const message of messages) appendFileSync(url.searchParams.get("file"), message.subject + "\\n")
  return messages.map(() => ({ outcome: "sent", providerId: "mine" }))
`

type Post = (path: string, body: object) => Promise<{ readonly id: string }>

/** Starts the executable with this transport, has it accept mail from `name.test`, and stops it when the mail has left. */
async function sendBy(
  mailUrl: string,
  name: string,
  { hasLeft, accept = oneMail(name) }: { hasLeft: () => boolean; accept?: (post: Post) => Promise<unknown> },
): Promise<string> {
  const data = join(place.folder, `data-${name}`)
  const { id, secret } = JSON.parse((await place.run(["project", "create", "P", "--json", "--data", data])).stdout)
  await place.run(["domain", "add", `${name}.test`, "--project", id, "--verified", "--data", data])
  const server = await place.start(["serve", "--port", "0", "--data", data], /listening on/, {
    MAILSTEAD_MAIL_URL: mailUrl,
  })
  const url = /listening on (\S+)/.exec(server.printed)?.[1]
  await accept(async (path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    })
    expect(answer.ok).toBe(true)
    return ((await answer.json()) as { data: { id: string } }).data
  })
  await until(hasLeft)
  expect(await server.stop()).toBe(0)
  return server.printed
}

const oneMail = (name: string) => (post: Post) =>
  post("/v1/send", { to: "ada@example.com", from: `me@${name}.test`, subject: "By plugin", body: "x" })

test.each(["ts", "js"])("an operator's transport in .%s is loaded and sends mail", async (ending) => {
  const file = join(place.folder, `own.${ending}`)
  const out = join(place.folder, `out-${ending}.txt`)
  writeFileSync(file, plugin(writing))
  await sendBy(`plugin:${file}?file=${encodeURIComponent(out)}`, ending, { hasLeft: () => existsSync(out) })
  expect(readFileSync(out, "utf8")).toBe("By plugin\n")
})

test("what an operator's transport prints is not among the JSON of doctor", async () => {
  const file = join(place.folder, "printing.js")
  const prints = `console.log("loaded"); console.dir("ready"); process.stdout.write("set\\n")`
  writeFileSync(file, `${prints}\n${plugin(writing)}`)
  const env = { MAILSTEAD_MAIL_URL: `plugin:${file}`, MAILSTEAD_DNS_SERVERS: "127.0.0.1:9" }
  const { stdout, stderr } = await place.run(["doctor", "--json"], env)
  expect(JSON.parse(stdout).checks).toBeArray()
  expect(stderr).toBe("loaded\nready\nset\n")
})

test("a mail leaves by SMTP with STARTTLS and a login", async () => {
  const sink = await startSink({ tls: "offered", login: { user: "relay", password: "s3cret" } })
  const url = `smtp://relay:s3cret@127.0.0.1:${sink.port}?insecure=true`
  await sendBy(url, "smtp", { hasLeft: () => sink.messages.length > 0 })
  expect(sink.messages).toMatchObject([{ to: ["ada@example.com"], secure: true, user: "relay" }])
  await sink.stop()
})

test("a campaign leaves by a thread", async () => {
  const sink = await startSink()
  const addresses = Array.from({ length: 40 }, (_, n) => `reader${n}@example.com`)
  const printed = await sendBy(`smtp://127.0.0.1:${sink.port}?tls=off&pool=8`, "news", {
    hasLeft: () => sink.messages.length >= addresses.length,
    async accept(post) {
      for (const email of addresses) await post("/contacts", { email, subscribed: true })
      const content = { name: "News", subject: "News", body: "<p>News</p>", from: "me@news.test", audienceType: "ALL" }
      const { id } = await post("/campaigns", content)
      await post(`/campaigns/${id}/send`, {})
    },
  })
  expect(sink.messages.map(({ to }) => to.join()).toSorted()).toEqual(addresses.toSorted())
  // Some without the thread, and then its own.
  expect(sink.connections.total).toBeGreaterThan(7)
  expect(printed).not.toContain("failed")
  await sink.stop()
})

test("a broken transport is an error that names the file and the fault", async () => {
  const file = join(place.folder, "broken.ts")
  writeFileSync(file, "export default { create: 5 }\n")
  const { code, stderr } = await place.run(["serve", "--port", "0"], { MAILSTEAD_MAIL_URL: `plugin:${file}` })
  expect(code).not.toBe(0)
  expect(stderr).toContain("broken.ts")
  expect(stderr).not.toContain(" at ")
})

test("the printed types of transports are those of the sources", async () => {
  const { code, stdout } = await place.run(["help", "transport"])
  expect(code).toBe(0)
  expect(stdout).toBe(readFileSync(join(import.meta.dir, "../../src/mail/transport.ts"), "utf8"))
})
