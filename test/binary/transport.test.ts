import { afterAll, beforeAll, expect, test } from "bun:test"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
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

test.each(["ts", "js"])("an operator's transport in .%s is loaded and sends mail", async (ending) => {
  const file = join(place.folder, `own.${ending}`)
  const out = join(place.folder, `out-${ending}.txt`)
  writeFileSync(file, plugin(writing))
  const data = join(place.folder, `data-${ending}`)
  const { id, secret } = JSON.parse((await place.run(["project", "create", "P", "--json", "--data", data])).stdout)
  await place.run(["domain", "add", `${ending}.test`, "--project", id, "--verified", "--data", data])
  const env = { MAILSTEAD_MAIL_URL: `plugin:${file}?file=${encodeURIComponent(out)}` }
  const server = await place.start(["serve", "--port", "0", "--data", data], /listening on/, env)
  const url = /listening on (\S+)/.exec(server.printed)?.[1]
  const answer = await fetch(`${url}/v1/send`, {
    method: "POST",
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
    body: JSON.stringify({ to: "ada@example.com", from: `me@${ending}.test`, subject: "By plugin", body: "x" }),
  })
  expect(answer.status).toBe(200)
  // Stopping finishes running hand-overs, so the test need not wait.
  for (let tries = 0; tries < 2_000 && !existsSync(out); tries++) await new Promise(setImmediate)
  expect(await server.stop()).toBe(0)
  expect(readFileSync(out, "utf8")).toBe("By plugin\n")
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
