import { afterAll, expect, test } from "bun:test"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ConfigError, loadConfig, readConfigFile } from "../../src/config.ts"

const folder = await mkdtemp(join(tmpdir(), "mailstead-config-"))
afterAll(() => rm(folder, { recursive: true }))

test("a configuration file is read and named in its faults", async () => {
  const path = join(folder, "mailstead.toml")
  await writeFile(path, "[http]\nport = 8080\n")
  expect(loadConfig({ file: await readConfigFile(path) }).config.http.port).toBe(8080)
  await writeFile(path, "[http]\nport = 80800\n")
  const file = await readConfigFile(path)
  expect(() => loadConfig({ file })).toThrow(`got 80800 (${path})`)
})

test("a byte order mark does not matter", async () => {
  const path = join(folder, "marked.toml")
  await writeFile(path, "\uFEFFhttp.port = 8080\n")
  expect(loadConfig({ file: await readConfigFile(path) }).config.http.port).toBe(8080)
})

test("a file that is missing, a folder, or not UTF-8 is one fault that names it", async () => {
  const latin = join(folder, "latin.toml")
  await writeFile(latin, Buffer.from([0x23, 0xe4]))
  for (const [path, reason] of [
    [join(folder, "none.toml"), "no such file or directory. Name one that exists with --config or MAILSTEAD_CONFIG"],
    [folder, "Directories cannot be read like files. Name a file"],
    [latin, ""],
  ] as const) {
    const failure = await readConfigFile(path).catch((cause: unknown) => cause)
    expect(failure).toBeInstanceOf(ConfigError)
    expect(String(failure)).toContain(`${path}: this file cannot be read: ${reason}`)
  }
})
