import { afterAll, beforeAll, expect, test } from "bun:test"
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { withModules } from "../../src/app.ts"
import { loadConfig } from "../../src/config.ts"
import type { Finding } from "../../src/modules/doctor/index.ts"
import { runMailstead, startMailstead } from "../harness/mailstead.ts"
import { type SmtpSink, startSink } from "../harness/smtp-sink.ts"

/** Any user but root; nobody needs to be called so. */
const serverUser = 65_534

let folder: string
let relay: SmtpSink
beforeAll(async () => {
  if (process.getuid?.() !== 0) throw new Error("This test makes files of another user, so it needs to run as root.")
  relay = await startSink({ login: { user: "me", password: "right" } })
  // Below a folder that other users may pass through.
  folder = mkdtempSync(join(process.platform === "linux" ? "/tmp" : tmpdir(), "mailstead-root-"))
  chmodSync(folder, 0o755)
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await relay.stop()
})

test("commands that root runs leave no file that the server cannot open, also before its first start after a restore", async () => {
  const place = mkdtempSync(join(folder, "restored-"))
  chmodSync(place, 0o755)
  const source = join(place, "source")
  const data = join(place, "data")
  const backup = join(place, "backup")
  await withModules(loadConfig({ options: { data: source } }).config, ({ projects }) => projects.create("Acme"))
  expect((await runMailstead(["backup", backup, "--data", source])).code).toBe(0)
  mkdirSync(data, { mode: 0o700 })
  chownSync(data, serverUser, serverUser)
  const secret = join(source, "secret")
  expect((await runMailstead(["restore", backup, "--secret-file", secret, "--data", data])).code).toBe(0)
  const commands = ["migrate", "resume", "project create Shop", "user create ada@example.com", "project list"]
  for (const command of commands) {
    for (const name of ["mailstead.lock", "mailstead.pid", "node"]) rmSync(join(data, name), { force: true })
    expect(await runMailstead([...command.split(" "), "--data", data])).toMatchObject({ code: 0, stderr: "" })
    const owners = readdirSync(data, { recursive: true }).map((name) => statSync(join(data, String(name))).uid)
    expect([command, ...new Set(owners)]).toEqual([command, serverUser])
  }
})

test("for an installed server, the doctor run by root makes all checks, and leaves no file of root (contract A8.1)", async () => {
  const place = mkdtempSync(join(folder, "server-"))
  chmodSync(place, 0o755)
  const data = join(place, "data")
  await withModules(loadConfig({ options: { data } }).config, async ({ projects, domains }) => {
    const { id } = await projects.create("Acme")
    await domains.add(id, "acme.test", { vouched: false })
  })
  for (const path of [data, ...readdirSync(data, { recursive: true }).map((name) => join(data, String(name)))])
    chownSync(path, serverUser, serverUser)
  const config = join(place, "mailstead.toml")
  await Bun.write(config, '[dns]\nservers = ["127.0.0.1:9"]\n')
  const variables = join(place, "mailstead.env")
  await Bun.write(variables, `MAILSTEAD_MAIL_URL=smtp://me:right@127.0.0.1:${relay.port}?tls=off\n`)
  chmodSync(variables, 0o600)

  const { stdout, stderr } = await runMailstead(["doctor", "--json", "--config", config, "--data", data])
  expect(stderr).toBe("")
  const { checks } = JSON.parse(stdout) as { checks: Finding[] }
  const found = new Map(checks.map((check) => [check.name, check]))
  for (const name of ["data folder", "database", `transport smtp://127.0.0.1:${relay.port}`])
    expect(found.get(name)).toMatchObject({ status: "ok" })
  for (const name of ["backups", "domain acme.test"]) expect([...found.keys()]).toContain(name)
  const owners = readdirSync(data, { recursive: true }).map((name) => statSync(join(data, String(name))).uid)
  expect(new Set(owners)).toEqual(new Set([serverUser]))
})

test("a server that root runs in the folder of another user says so, and leaves that user everything in it when it stops (contract A8.1)", async () => {
  const place = mkdtempSync(join(folder, "tried-"))
  const data = join(place, "data")
  mkdirSync(data, { mode: 0o700 })
  chownSync(data, serverUser, serverUser)
  mkdirSync(join(place, "of root", "below"), { recursive: true })
  symlinkSync(join(place, "of root"), join(data, "link"))
  const server = await startMailstead(["serve", "--port", "0", "--data", data])
  expect(await server.stop()).toBe(0)
  expect(await server.said()).toContain(`${data} belongs to user ${serverUser}: run the server as that user`)
  expect(statSync(join(data, "link", "below")).uid).toBe(0)
  rmSync(join(data, "link"))
  const owners = readdirSync(data, { recursive: true }).map((name) => statSync(join(data, String(name))).uid)
  expect(new Set(owners)).toEqual(new Set([serverUser]))
})

test("a database that the user of the server may only read is not called sound", async () => {
  const place = mkdtempSync(join(folder, "copied-"))
  chmodSync(place, 0o755)
  const data = join(place, "data")
  await withModules(loadConfig({ options: { data } }).config, ({ projects }) => projects.create("Acme"))
  for (const path of [data, ...readdirSync(data, { recursive: true }).map((name) => join(data, String(name)))])
    chownSync(path, serverUser, serverUser)
  const database = join(data, "mailstead.db")
  chownSync(database, 0, 0)
  chmodSync(database, 0o644)
  const config = join(place, "mailstead.toml")
  await Bun.write(config, '[dns]\nservers = ["127.0.0.1:9"]\n')
  const { stdout } = await runMailstead(["doctor", "--json", "--config", config, "--data", data])
  const { checks } = JSON.parse(stdout) as { checks: Finding[] }
  expect(checks.find(({ name }) => name === "database")).toEqual({
    name: "database",
    status: "fail",
    message: expect.stringContaining(`${database}: permission denied. Run this as the user that owns it`),
  })
})
