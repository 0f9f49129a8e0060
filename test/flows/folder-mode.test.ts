import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { withModules } from "../../src/app.ts"
import { startTestApp } from "../harness/app.ts"
import { runMailstead, startServer } from "../harness/mailstead.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()

/** The files of a folder with their content, except those of the lock. */
const contentOf = (data: string) =>
  Object.fromEntries(
    readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), "base64")]),
  )

const sandboxCall = (key: string) => ({ key, body: { email: "ada@example.com", event: "visit" } })

describe("A data folder", () => {
  test.each([
    ["serve", "sandbox", "belongs to a server. A sandbox needs another one"],
    ["sandbox", "serve", "belongs to a sandbox. A server needs another one"],
  ] as const)("that %s made is refused by %s, and stays as it is", async (mode, other, sentence) => {
    const data = folder()
    const settings = { "smtp.submission_port": "0" }
    await (await startTestApp({ mode, folder: data, settings })).stop()
    const before = contentOf(data)
    await expect(startTestApp({ mode: other, folder: data, settings })).rejects.toThrow(sentence)
    expect(contentOf(data)).toEqual(before)
    const again = await startTestApp({ mode, folder: data, settings })
    expect((await again.api("GET /contacts")).status).toBe(200)
    await again.stop()
  })

  test("is refused by the command line with one sentence and exit code 1", async () => {
    const data = folder()
    await (await startServer(data)).stop()
    const before = contentOf(data)
    for (const args of [
      ["sandbox", "--smtp-port", "0"],
      ["serve", "--sandbox"],
    ]) {
      const { code, stdout, stderr } = await runMailstead([...args, "--port", "0", "--data", data])
      expect([code, stdout]).toEqual([1, ""])
      expect(stderr).toBe(
        `mailstead: The data folder ${data} belongs to a server. A sandbox needs another one: name it with --data.\n`,
      )
    }
    expect(contentOf(data)).toEqual(before)
  })

  test("in which a sandbox failed to start is the sandbox's", async () => {
    const data = folder()
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve))
    const address = taken.address()
    const port = String(typeof address === "object" ? address?.port : 0)
    expect((await runMailstead(["sandbox", "--port", port, "--data", data])).stderr).toContain("in use")
    taken.close()
    expect((await runMailstead(["serve", "--port", "0", "--data", data])).stderr).toContain("belongs to a sandbox")
  })

  test("without the mark but with a database is a server's", async () => {
    const data = folder()
    await (await startTestApp({ folder: data })).stop()
    rmSync(join(data, "mode"))
    await expect(startTestApp({ mode: "sandbox", folder: data })).rejects.toThrow("belongs to a server")
    await (await startTestApp({ folder: data })).stop()
    expect(readFileSync(join(data, "mode"), "utf8")).toBe("serve")
  })

  test("with an unknown mark is refused", async () => {
    const data = folder()
    writeFileSync(join(data, "mode"), "production")
    await expect(startTestApp({ folder: data })).rejects.toThrow(`${data}/mode must hold the word serve or sandbox`)
  })

  test("is used by commands in its own mode", async () => {
    const it = await startTestApp({ mode: "sandbox", settings: { "smtp.submission_port": "0" } })
    const config = { ...it.app.config, mode: "serve" as const }
    await it.app.projects.create("Typed", { keys: { public: "pk_typed", secret: "sk_typed" } })
    const found = await withModules(config, ({ projects }) => projects.projectOfKey("secret", "sk_typed"))
    expect(found?.name).toBe("Typed")
    await it.close()
  })
})

test("A key that was not generated is invalid outside the sandbox, even if it is stored", async () => {
  const it = await startTestApp()
  const keys = { public: "pk_sandbox", secret: "sk_sandbox" }
  await it.app.projects.create("Copied from a sandbox", { keys })
  expect((await it.api("GET /contacts", { key: keys.secret })).status).toBe(401)
  expect((await it.api("POST /v1/track", sandboxCall(keys.public))).status).toBe(401)
  expect((await it.api("POST /v1/track", sandboxCall(it.project.publicKey))).status).toBe(200)
  await it.close()
})
