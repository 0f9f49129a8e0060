import { afterAll, beforeAll, expect, test } from "bun:test"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { startSink } from "../harness/smtp-sink.ts"
import { emptyPlace, type Place } from "./program.ts"

let place: Place
beforeAll(() => {
  place = emptyPlace()
})
afterAll(() => place.remove())

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

/** Starts the executable with this transport, has it accept one mail, and stops it when the mail has left. */
async function sendBy(mailUrl: string, name: string, hasLeft: () => boolean): Promise<void> {
  const data = join(place.folder, `data-${name}`)
  const { id, secret } = JSON.parse((await place.run(["project", "create", "P", "--json", "--data", data])).stdout)
  await place.run(["domain", "add", `${name}.test`, "--project", id, "--verified", "--data", data])
  const server = await place.start(["serve", "--port", "0", "--data", data], /listening on/, {
    MAILSTEAD_MAIL_URL: mailUrl,
  })
  const url = /listening on (\S+)/.exec(server.printed)?.[1]
  const answer = await fetch(`${url}/v1/send`, {
    method: "POST",
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
    body: JSON.stringify({ to: "ada@example.com", from: `me@${name}.test`, subject: "By plugin", body: "x" }),
  })
  expect(answer.status).toBe(200)
  // Stopping finishes running hand-overs, so the test need not wait.
  for (let tries = 0; tries < 2_000 && !hasLeft(); tries++) await new Promise(setImmediate)
  expect(await server.stop()).toBe(0)
}

test.each(["ts", "js"])("an operator's transport in .%s is loaded and sends mail", async (ending) => {
  const file = join(place.folder, `own.${ending}`)
  const out = join(place.folder, `out-${ending}.txt`)
  writeFileSync(file, plugin(writing))
  await sendBy(`plugin:${file}?file=${encodeURIComponent(out)}`, ending, () => existsSync(out))
  expect(readFileSync(out, "utf8")).toBe("By plugin\n")
})

test("a mail leaves by SMTP with STARTTLS and a login", async () => {
  const sink = await startSink({ tls: "offered", login: { user: "relay", password: "s3cret" } })
  const url = `smtp://relay:s3cret@127.0.0.1:${sink.port}?insecure=true`
  await sendBy(url, "smtp", () => sink.messages.length > 0)
  expect(sink.messages).toMatchObject([{ to: ["ada@example.com"], secure: true, user: "relay" }])
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
