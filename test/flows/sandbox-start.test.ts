import { describe, expect, test } from "bun:test"
import { type AddressInfo, createServer } from "node:net"
import { welcome } from "../../src/commands/sandbox.ts"
import { loadConfig, publicUrl } from "../../src/config.ts"
import { freePort } from "../harness/acme.ts"
import { startTestApp } from "../harness/app.ts"
import { beforeNextWrite } from "../harness/before-write.ts"
import { runMailstead } from "../harness/mailstead.ts"
import { connectSmtp } from "../harness/smtp-client.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const warning = "whoever reaches it there can read all mail and send, without signing in"

describe("A sandbox prints its addresses", () => {
  test.each([
    ["127.0.0.1", "http://127.0.0.1:3000", "http://127.0.0.1:3000"],
    ["0.0.0.0", "http://0.0.0.0:3000", "http://127.0.0.1:3000"],
    ["::", "http://[::]:3000", "http://[::1]:3000"],
  ])("which is %s", (host, address, link) => {
    const { config } = loadConfig({ mode: "sandbox", options: { "http.host": host } })
    const said = welcome(
      {
        url: publicUrl(config.http, 3000),
        port: 3000,
        publicPorts: undefined,
        smtp: { submission: 1025, secure: null, inbound: null },
      },
      config,
    )
    expect(said).toContain(`listening on ${address}\n`)
    expect(said).toContain(`Inbox        ${link}/app\n`)
    expect(said).toContain(`SMTP         ${host}:1025 `)
  })

  // The address belongs to no machine (RFC 5737), so that listening fails.
  test.each([
    ["sandbox", ["sandbox"]],
    ["serve --sandbox", ["serve", "--sandbox"]],
  ])("and %s warns when other machines can reach it", async (_, command) => {
    const env = { MAILSTEAD_SMTP_SUBMISSION_PORT: "0" }
    const args = [...command, "--host", "203.0.113.9", "--port", "0", "--data", folder()]
    const { code, stderr } = await runMailstead(args, { env })
    expect([code, stderr.split("\n")[0]]).toEqual([
      1,
      expect.stringContaining(` warn  the sandbox listens on 203.0.113.9: ${warning}`),
    ])
    expect(stderr).toContain("Cannot listen on 203.0.113.9")
  })

  test("and a server writes nothing but records of its log, down to the reason for which it does not start", async () => {
    const env = { MAILSTEAD_LOG_FORMAT: "json", MAILSTEAD_HTTP_PROT: "1" }
    const args = ["sandbox", "--host", "203.0.113.9", "--port", "0", "--smtp-port", "0", "--data", folder()]
    const lines = (await runMailstead(args, { env })).stderr.trim().split("\n")
    expect(lines.pop()).toContain("Cannot listen on 203.0.113.9")
    const records = lines.map((line) => JSON.parse(line))
    expect(records.map(({ level }) => level)).toEqual(records.map(() => "warn"))
    expect(records.map(({ message }) => message)).toEqual([
      expect.stringContaining("MAILSTEAD_HTTP_PROT is no setting of ours"),
      expect.stringContaining("the sandbox listens on 203.0.113.9"),
    ])
  })

  test("without a warning on loopback, or for a server", async () => {
    for (const args of [
      ["serve", "--host", "203.0.113.9"],
      ["sandbox", "--host", "127.0.0.1", "--config", "/nothing"],
    ]) {
      const { stderr } = await runMailstead([...args, "--port", "0", "--data", folder()])
      expect(stderr).not.toContain(warning)
    }
  })
})

describe("HTTP is opened last (contract A8.4)", () => {
  test("so the keys of the sandbox work in the first request", async () => {
    const port = await freePort()
    const settings = { "http.port": String(port), "smtp.submission_port": "0" }
    const it = await startTestApp({ mode: "sandbox", settings })
    const contacts = () =>
      fetch(`http://127.0.0.1:${port}/contacts`, { headers: { Authorization: "Bearer sk_sandbox" } }).then(
        ({ status }) => status,
        () => "refused",
      )
    const early: unknown[] = []
    beforeNextWrite(it, async () => early.push(await contacts()))
    await it.app.start()
    expect([early, await contacts()]).toEqual([["refused"], 200])
    await it.close()
  })

  test("so SMTP answers by then", async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve))
    const { port } = taken.address() as AddressInfo
    const smtp = await freePort()
    const settings = { "http.port": String(port), "smtp.submission_port": String(smtp) }
    const it = await startTestApp({ mode: "sandbox", settings })
    await expect(it.app.start()).rejects.toThrow(`Cannot listen on 127.0.0.1:${port}`)
    const client = await connectSmtp(smtp)
    expect((await client.reply()).code).toBe(220)
    client.drop()
    await it.close()
    taken.close()
  })
})
