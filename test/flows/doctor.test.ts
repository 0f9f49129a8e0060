import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Finding } from "../../src/modules/doctor/index.ts"
import { type Machine, machineOf } from "../../src/store/machine.ts"
import { pauseSending, resumeSending } from "../../src/store/sending-pause.ts"
import { signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { runCommand } from "../harness/commands.ts"
import { type DnsServer, startDnsServer } from "../harness/dns-server.ts"
import { requireMounts, runOnReadOnlyDisk, runOnSmallDisk } from "../harness/mailstead.ts"
import { startNtpServer } from "../harness/ntp-server.ts"
import { type SmtpSink, startSink } from "../harness/smtp-sink.ts"
import { scratch } from "../harness/store.ts"

const newFolder = scratch()
const machineFolder = {
  hasDatabase: true,
  isWritable: true,
  isReadOnly: false,
  isOpenToOthers: false,
  isOwn: true,
  owner: 1000,
}
const machine: Machine = {
  folder: () => machineFolder,
  freeBytes: () => 20 * 1024 ** 3,
  freeFiles: () => 1_000_000,
  server: () => 4711,
  openFilesLimit: () => 65_536,
}

describe("the report of the doctor (contract A8.1)", () => {
  let dns: DnsServer
  let relay: SmtpSink
  let refusing: SmtpSink
  let it: TestApp
  let ntp: Awaited<ReturnType<typeof startNtpServer>>
  let ahead = 0
  let state: Machine = machine
  beforeAll(async () => {
    dns = await startDnsServer()
    const login = { user: "me", password: "right" }
    relay = await startSink({ login })
    refusing = await startSink({ login })
    refusing.always("auth", "535 5.7.8 the password hunter22 is wrong")
    const ownMachine: Machine = {
      folder: () => state.folder(),
      freeBytes: () => state.freeBytes(),
      freeFiles: () => state.freeFiles(),
      server: () => state.server(),
      openFilesLimit: () => state.openFilesLimit(),
    }
    ntp = await startNtpServer(() => it.clock.now() - ahead)
    const examined = { ntp, port25: { host: "127.0.0.1", port: relay.port }, machine: ownMachine }
    it = await startTestApp({
      realTransports: true,
      settings: {
        "dns.servers": dns.address,
        "mail.url": `smtp://me:right@127.0.0.1:${relay.port} smtp://me:hunter22@127.0.0.1:${refusing.port} smtp://127.0.0.1:9`,
        "smtp.hostname": "mail.acme.test",
      },
      overrides: { examined },
    })
    await it.app.domains.add(it.project.id, "unknown.test", { vouched: false })
  })
  afterAll(async () => {
    await Promise.all([it.close(), dns.stop(), relay.stop(), refusing.stop(), ntp.stop()])
  })

  async function report(): Promise<Map<string, Omit<Finding, "name">>> {
    const checks = await it.app.doctor.report()
    return new Map(checks.map(({ name, ...verdict }) => [name, verdict]))
  }
  /** Until answers of the DNS are no longer cached. */
  const forget = () => it.advance({ minutes: 2 })
  const statusOf = async (name: string): Promise<string | undefined> => (await report()).get(name)?.status

  test("says of every check what to do", async () => {
    const checks = await report()
    for (const [name, { status, message }] of checks) {
      expect([name, message]).toEqual([name, expect.stringMatching(/^[^\n]+\.$/)])
      expect(["ok", "warn", "fail"]).toContain(status)
      if (status !== "ok") expect([name, message]).toEqual([name, expect.stringMatching(/[:;] /)])
    }
    const names = ["version", "data folder", "disk space", "open files", "clock", "dns", "public address", "port 25"]
    expect([...checks.keys()]).toEqual(expect.arrayContaining([...names, "reverse dns", "database", "backups"]))
  })

  test("tells that nothing is sent after a restore, for as long as that is so", async () => {
    expect(await statusOf("sending")).toBeUndefined()
    pauseSending(it.folder, { since: it.clock.now(), takenAt: undefined })
    expect(await statusOf("sending")).toBe("warn")
    resumeSending(it.folder)
    expect(await statusOf("sending")).toBeUndefined()
  })

  test("tells transports that let us in from those that do not, and sends nothing", async () => {
    const checks = await report()
    const of = (port: number) => checks.get(`transport smtp://127.0.0.1:${port}`)
    expect(of(relay.port)).toEqual({ status: "ok", message: "It lets us in." })
    expect(of(refusing.port)).toMatchObject({ status: "fail", message: expect.stringContaining("535 5.7.8") })
    expect(of(9)).toMatchObject({ status: "fail", message: expect.stringContaining("connection refused") })
    expect(JSON.stringify([...checks])).not.toContain("hunter22")
    expect([...relay.messages, ...refusing.messages]).toEqual([])
  })

  test("reads the names of the own address both ways", async () => {
    dns.zone = {}
    expect(await statusOf("reverse dns")).toBe("warn")
    dns.zone = { "mail.acme.test": [["A", "8.8.4.4"]], "4.4.8.8.in-addr.arpa": [["PTR", "other.test"]] }
    expect(await statusOf("reverse dns")).toBe("warn")
  })

  test("finds names that lead back", async () => {
    dns.zone = { "mail.acme.test": [["A", "8.8.4.4"]], "4.4.8.8.in-addr.arpa": [["PTR", "mail.acme.test"]] }
    await forget()
    expect(await statusOf("reverse dns")).toBe("ok")
    dns.zone = {}
  })

  test("asks the resolver for a name that everybody knows", async () => {
    dns.zone = { "example.com": [["A", "93.184.215.14"]] }
    await forget()
    expect(await statusOf("dns")).toBe("ok")
    dns.always("servfail")
    await forget()
    expect(await statusOf("dns")).toBe("fail")
    dns.always(undefined)
    dns.zone = {}
  })

  test("connects to a mail server on port 25", async () => {
    expect(await statusOf("port 25")).toBe("ok")
    await relay.stop()
    expect((await report()).get("port 25")).toMatchObject({ status: "warn", message: expect.stringContaining("587") })
    await relay.start()
  })

  test("finds the records of domains as they are now", async () => {
    const checks = await report()
    expect(checks.get("domain unknown.test")?.status).toBe("fail")
    expect(checks.get("domain unknown.test")?.message).toContain("DKIM")
    expect(checks.get("domain acme.test")).toMatchObject({ status: "warn", message: expect.stringContaining("DMARC") })
  })

  test.each([
    [0, "ok"],
    [1_500, "ok"],
    [-5_000, "warn"],
    [90_000, "fail"],
  ])("a clock that is %p ms ahead is %s", async (ms, status) => {
    ahead = ms
    expect(await statusOf("clock")).toBe(status)
    ahead = 0
  })

  test.each<[string, Partial<Machine>, string]>([
    ["disk space", { freeBytes: () => 100_000_000 }, "fail"],
    ["disk space", { freeBytes: () => 500_000_000 }, "warn"],
    ["disk space", { freeFiles: () => 999 }, "fail"],
    ["disk space", { freeFiles: () => undefined }, "ok"],
    ["disk space", {}, "ok"],
    ["open files", { openFilesLimit: () => 1_024 }, "warn"],
    ["open files", { openFilesLimit: () => undefined }, "ok"],
    ["data folder", { folder: () => undefined }, "warn"],
    ["data folder", { folder: () => ({ ...machineFolder, isWritable: false }) }, "fail"],
    ["data folder", { folder: () => ({ ...machineFolder, isWritable: false, isReadOnly: true }) }, "fail"],
    ["data folder", { folder: () => ({ ...machineFolder, isOpenToOthers: true }) }, "warn"],
    ["data folder", { folder: () => ({ ...machineFolder, isOwn: false }) }, "warn"],
    ["data folder", {}, "ok"],
  ])("%s with %p is %s", async (name, change, status) => {
    state = { ...machine, ...change }
    expect(await statusOf(name)).toBe(status)
    state = machine
  })

  test.each([
    ["Btrfs", { files: 0, ffree: 0 }, undefined],
    ["CephFS", { files: 1_234, ffree: -1 }, undefined],
    ["ext4", { files: 1_234, ffree: 0 }, 0],
  ])("finds the limit of files of %s", (_, told, free) => {
    expect(machineOf(it.folder, (path) => ({ ...statfsSync(path), ...told })).freeFiles()).toBe(free)
  })

  test("says that the disk has space, but room for few more files", async () => {
    const at = newFolder()
    await requireMounts(at)
    const { stdout } = await runOnSmallDisk(at, "2g,nr_inodes=50", ["doctor", "--data", at])
    expect(stdout).toMatch(
      /^fail +disk space +2,048 MB are free, but the disk has room for only 49 more files \(df -i\)/m,
    )
  })

  test("does not say of somebody else's folder, into which it cannot look, that it is empty", async () => {
    state = { ...machine, folder: () => ({ ...machineFolder, hasDatabase: false, isOwn: false }) }
    expect((await report()).get("data folder")?.message).toContain(
      "belongs to user 1000: run this command as that user",
    )
    state = machine
  })

  test("is for the owner of the instance only, by the same checks (contract B8.3.23)", async () => {
    const owner = await signUp(it, "owner@acme.test")
    const { status, body } = await owner.api("GET /instance/doctor")
    expect(status).toBe(200)
    expect(body.data.checks.map(({ name }: Finding) => name)).toEqual([...(await report()).keys()])
  })
})

describe("mailstead doctor", () => {
  const settings = `--config ${join(import.meta.dir, "doctor.toml")}`

  test("works without a data folder, makes none, and prints one document", async () => {
    const folder = join(newFolder(), "none")
    const { stdout, code } = await runCommand({ folder }, `doctor ${settings}`)
    const report = JSON.parse(stdout)
    expect(Object.keys(report)).toEqual(["checks"])
    for (const check of report.checks) expect(Object.keys(check)).toEqual(["name", "status", "message"])
    expect(code).toBe(report.checks.some(({ status }: Finding) => status === "fail") ? 1 : 0)
    expect(existsSync(folder)).toBe(false)
  })

  test("reads the database beside a running server, and of a stopped one", async () => {
    const it = await startTestApp()
    for (const beside of [true, false]) {
      if (!beside) await it.stop()
      const { checks } = JSON.parse((await runCommand(it, `doctor ${settings}`)).stdout) as { checks: Finding[] }
      const named = (name: string) => checks.find((check) => check.name === name)
      expect(named("database")).toEqual({ name: "database", status: "ok", message: "The database is sound." })
      expect(named("domain acme.test")).toBeDefined()
    }
    await it.close()
  })

  test("says of a disk that can only be read what it is, as other commands do", async () => {
    const it = await startTestApp()
    await it.stop()
    await requireMounts(it.folder)
    const run = (command: string) => runOnReadOnlyDisk(it.folder, [...command.split(" "), "--data", it.folder])
    const { checks } = JSON.parse((await run(`doctor ${settings} --json`)).stdout) as { checks: Finding[] }
    const named = (name: string) => checks.find((check) => check.name === name)
    expect(named("data folder")).toMatchObject({ status: "fail", message: expect.stringContaining("only be read") })
    expect(named("database")).toMatchObject({
      status: "fail",
      message: expect.stringMatching(/only be read: mount it/),
    })
    const { code, stderr } = await run("project list")
    expect([code, stderr]).toEqual([1, expect.stringContaining("The disk can only be read: mount it for writing")])
    await it.close()
  })
})

test("before the first backup of a schedule it is said whether it can be stored", async () => {
  const dns = await startDnsServer()
  const folder = newFolder()
  writeFileSync(join(folder, "file"), "")
  const found = async (backups: string) => {
    const it = await startTestApp({
      settings: { "backup.schedule": "30 3 * * *", "backup.folder": join(folder, backups), "dns.servers": dns.address },
      overrides: { examined: { machine } },
    })
    const checks = await it.app.doctor.report()
    await it.close()
    return checks.find(({ name }) => name === "backups")
  }
  expect(await found("new/backups")).toMatchObject({ status: "ok", message: expect.stringContaining("still to come") })
  expect(existsSync(join(folder, "new"))).toBe(false)
  expect(await found("file/backups")).toEqual({
    name: "backups",
    status: "fail",
    message: `The next backup will fail: ${join(folder, "file")}: not a directory. A file is where a folder should be: name another folder.`,
  })
  await dns.stop()
})

test("a server that has only http.domains is asked by its first name", async () => {
  const dns = await startDnsServer()
  const it = await startTestApp({
    settings: { "http.domains": "mail.acme.test", "dns.servers": dns.address, "http.acme_email": "a@acme.test" },
    overrides: { examined: { machine } },
  })
  const found = (await it.app.doctor.report()).find(({ name }) => name === "public address")
  expect(found).toMatchObject({ status: "fail", message: expect.stringContaining("mail.acme.test has no address") })
  await Promise.all([it.close(), dns.stop()])
})
