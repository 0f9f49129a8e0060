import { afterAll, describe, expect, test } from "bun:test"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "../../src/commands/index.ts"
import { sent } from "../../src/mail/transport.ts"
import { buildTransport } from "./build.ts"
import { messageTo } from "./messages.ts"

const folder = await mkdtemp(join(tmpdir(), "mailstead-types-"))
afterAll(() => rm(folder, { recursive: true }))

/** The output of `mailstead help transport`. */
async function printed(): Promise<string> {
  const parts: string[] = []
  const stdout = (part: string) => void parts.push(part)
  const io = { env: {}, stdout, stderr: () => {}, stdin: async () => "", stop: new AbortController().signal }
  expect(await run(["help", "transport"], io)).toBe(0)
  return parts.join("")
}

describe("`mailstead help transport`", () => {
  test("prints the very file that the server is built from", async () => {
    expect(await printed()).toBe(await readFile(join(import.meta.dir, "../../src/mail/transport.ts"), "utf8"))
  })

  test("prints a text that needs no other file", async () => {
    const text = await printed()
    expect(new Bun.Transpiler({ loader: "ts" }).scanImports(text)).toEqual([])
    expect(text).not.toMatch(/^import\b|\bfrom "|\bimport\(/m)
  })

  test("prints types that a plugin can all import by their names", async () => {
    expect((await printed()).match(/^(?:interface|type) \w+/gm)).toBeNull()
  })

  test("prints what a plugin can import, its types checked", async () => {
    await Bun.write(join(folder, "transport.ts"), await printed())
    await Bun.write(
      join(folder, "own.ts"),
      `import { deferred, sent, type Outgoing, type Receipt, type TransportPlugin } from "./transport.ts"

      const receiptOf = (message: Outgoing): Receipt =>
        message.stream === "bulk" ? deferred("no bulk mail here") : sent(\`own-\${message.to.address}\`)

      const plugin: TransportPlugin = {
        schemes: [],
        create: (_url, { log }) => ({
          name: "own",
          limits: { concurrency: 1, batch: 10 },
          async send(messages, abort) {
            log.info("sending", { count: messages.length, aborted: abort.aborted })
            return messages.map(receiptOf)
          },
          close: async () => {},
        }),
      }
      export default plugin`,
    )
    const tsc = join(import.meta.dir, "../../node_modules/.bin/tsc")
    const options = [
      "--noEmit",
      "--strict",
      "--allowImportingTsExtensions",
      "--module",
      "preserve",
      "--target",
      "esnext",
    ]
    const checked = Bun.spawnSync([tsc, ...options, join(folder, "own.ts")], { cwd: folder })
    expect([checked.exitCode, checked.stdout.toString()]).toEqual([0, ""])

    const { send } = await buildTransport(`plugin:${join(folder, "own.ts")}`)
    expect(await send(messageTo("ada@shop.test"))).toEqual(sent("own-ada@shop.test"))
  })
})
