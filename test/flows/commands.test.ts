import { beforeEach, describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { eq } from "drizzle-orm"
import { withModules } from "../../src/app.ts"
import { run as runCommand } from "../../src/commands/index.ts"
import { loadConfig } from "../../src/config.ts"
import { deferred } from "../../src/mail/transport.ts"
import { segmentMemberTable } from "../../src/modules/segments/index.ts"
import { lockFolder } from "../../src/store/lock.ts"
import { migrations } from "../../src/store/migrations/index.ts"
import { migrate } from "../../src/store/sqlite/migrate.ts"
import { appOfTest } from "../harness/app.ts"
import { inDatabase } from "../harness/backups.ts"
import { campaignOf, createSegment, mailsOf, onPlan, startCampaign } from "../harness/campaigns.ts"
import { runLine } from "../harness/commands.ts"
import { seedContacts } from "../harness/contacts.ts"
import { runMailsteadInto, startMailstead } from "../harness/mailstead.ts"
import { scratch, until } from "../harness/store.ts"

const folder = scratch()

describe("A command beside a running server", () => {
  test("that disables a project ends all running work of the project", async () => {
    const it = await appOfTest()
    await seedContacts(it, 2, () => ({}))
    it.transport.answer = () => deferred("Later.", it.clock.now() + 3_600_000)
    const id = await startCampaign(it)
    await it.settle()
    expect((await it.api("GET /contacts")).status).toBe(200)

    await withModules(it.app.config, ({ projects }) => projects.setDisabled(it.project.id, "MANUAL"))
    await it.settle()

    const refused = await it.api("GET /contacts")
    expect([refused.status, refused.body.error.code]).toEqual([403, "PROJECT_DISABLED"])
    expect((await mailsOf(it, id)).map(({ status }) => status)).toEqual(["CANCELLED", "CANCELLED"])
    await withModules(it.app.config, ({ projects }) => projects.setDisabled(it.project.id, null))
    await it.settle()
    expect(await campaignOf(it, id)).toMatchObject({ status: "CANCELLED", cancelReason: "project_disabled" })
  })

  test("that adds a contact makes the server add it to matching segments", async () => {
    const it = await appOfTest()
    const id = await createSegment(it, { type: "DYNAMIC", trackMembership: true, condition: onPlan("pro") })
    await it.settle()
    const contact = { email: "ada@example.com", data: { plan: "pro" }, subscribedWhenNew: true }
    await withModules(it.app.config, ({ contacts }) => contacts.upsert(it.project.id, contact))
    await it.settle()
    const members = await it.app.store.read
      .select()
      .from(segmentMemberTable)
      .where(eq(segmentMemberTable.segmentId, id))
    expect(members).toHaveLength(1)
  })

  test("does not remove files that the server is writing", async () => {
    const it = await appOfTest()
    const draft = join(it.folder, "files", "drafts", "half")
    mkdirSync(join(draft, ".."), { recursive: true })
    writeFileSync(draft, "half")
    expect(await withModules(it.app.config, async ({ projects }) => (await projects.list()).length)).toBe(1)
    expect(existsSync(draft)).toBe(true)
  })
})

test("A command needs no transport and runs no background work, which waits for the next start of the server", async () => {
  const it = await appOfTest()
  await createSegment(it, { type: "DYNAMIC", trackMembership: true, condition: onPlan("pro") })
  await it.settle()
  await it.stop()
  const { config } = loadConfig({ mode: "serve", options: { data: it.folder, "mail.url": "smtp://127.0.0.1:1" } })
  const contact = { email: "ada@example.com", data: { plan: "pro" }, subscribedWhenNew: true }
  await withModules(config, ({ contacts }) => contacts.upsert(it.project.id, contact))

  const again = await appOfTest({ folder: it.folder, clock: it.clock, ids: it.ids })
  expect(await again.app.store.read.$count(segmentMemberTable)).toBe(0)
  await again.settle()
  expect(await again.app.store.read.$count(segmentMemberTable)).toBe(1)
})

test("An id of a project is taken in upper case too (contract A1.1.1)", async () => {
  const it = await appOfTest()
  await it.stop()
  const id = it.project.id.toUpperCase()
  expect(id).not.toBe(it.project.id)
  const lines = [
    `project disable ${id}`,
    `project enable ${id}`,
    `domain add shop.test --project ${id}`,
    `domain rotate-key shop.test --project ${id}`,
  ]
  for (const line of lines)
    expect(await runLine([...line.split(" "), "--data", it.folder])).toMatchObject({ code: 0, stderr: "" })
})

test.each([
  "project list",
  "project disable 0199c0de-0000-7000-8000-000000000001",
  "domain add acme.test --project 0199c0de-0000-7000-8000-000000000001",
  "domain rotate-key acme.test --project 0199c0de-0000-7000-8000-000000000001",
  "user list",
  "user password ada@example.com",
  "setup-link",
  "analytics rebuild",
  "resume",
  "backup backup.tar.zst",
])("`mailstead %s` on a folder without data is refused and makes nothing", async (line) => {
  const empty = folder()
  for (const data of [empty, join(empty, "mistyped")])
    expect(await runLine([...line.split(" "), "--data", data])).toEqual({
      code: 1,
      stdout: "",
      stderr: `mailstead: ${data} holds no data of Mailstead. Name the data folder with --data.\n`,
    })
  expect(readdirSync(empty)).toEqual([])
})

describe("A database of an older version", () => {
  let data: string
  beforeEach(() => {
    data = folder()
    writeFileSync(join(data, "mode"), "serve")
    writeFileSync(join(data, "mailstead.db"), "")
    inDatabase(data, (db) => {
      db.run("PRAGMA auto_vacuum = INCREMENTAL")
      db.run("PRAGMA journal_mode = WAL")
      migrate(db, join(data, "mailstead.db"), 0, migrations.slice(0, -1))
    })
  })

  const sentence = () =>
    `${join(data, "mailstead.db")} is of an older version of Mailstead. If the server is just migrating it, wait for that. Otherwise stop the server if it runs, then run \`mailstead migrate\`, or start the server in this version.`
  const run = (line: string) => runLine([...line.split(" "), "--data", data])
  const applied = () => inDatabase(data, (db) => db.query("SELECT count(*) FROM migration").values()[0]?.[0])

  test.each(["project list", "user list"])("is not changed by `mailstead %s`, which says what to do", async (line) => {
    const before = readFileSync(join(data, "mailstead.db"))
    expect(await run(line)).toEqual({ code: 1, stdout: "", stderr: `mailstead: ${sentence()}\n` })
    expect(readFileSync(join(data, "mailstead.db")).equals(before)).toBe(true)
    expect(
      readdirSync(data)
        .filter((name) => !/-(?:wal|shm)$/.test(name))
        .sort(),
    ).toEqual(["mailstead.db", "mode"])
    expect(await run("doctor")).toMatchObject({ code: 1, stdout: expect.stringContaining(sentence()) })
    expect((await run("migrate")).code).toBe(0)
    expect(await run(line)).toMatchObject({ code: 0, stderr: "" })
  })

  test("is changed by `mailstead migrate`, which says beforehand that it does and where the copy is, and only then", async () => {
    const { code, stderr } = await run("migrate")
    const copy = readdirSync(data).find((name) => name.includes(".before-"))
    expect(code).toBe(0)
    expect(stderr).toMatch(/^\S+ info {2}The database is copied and then changed for this version.* copy=\S+\n$/)
    expect(stderr).toContain(` copy=${join(data, copy ?? "")}\n`)
    expect(await run("migrate")).toMatchObject({ code: 0, stderr: "" })
  })

  test("is brought up to this version by a command that writes, unless a server has it", async () => {
    const server = lockFolder(data, "process 4711")
    expect(await run("user create ada@example.com")).toEqual({
      code: 1,
      stdout: "",
      stderr: `mailstead: ${sentence()}\n`,
    })
    expect(applied()).toBe(migrations.length - 1)
    server.release()
    expect(await run("user create ada@example.com")).toMatchObject({ code: 0, stderr: "" })
    expect(applied()).toBe(migrations.length)
  })
})

test.each(["project create Shop", "user create ada@example.com"])(
  "`mailstead %s` makes a data folder, and says so",
  async (line) => {
    const data = join(folder(), "new")
    const made = await runLine([...line.split(" "), "--data", data])
    expect([made.code, made.stderr]).toEqual([0, `${data} held no data: a new database was made there.\n`])
    expect(await runLine(["project", "list", "--data", data])).toMatchObject({ code: 0, stderr: "" })

    const file = join(folder(), "file")
    writeFileSync(file, "")
    const refused = await runLine([...line.split(" "), "--data", join(file, "new")])
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^mailstead: [^\n]*not a directory[^\n]*\n$/),
    })
  },
)

describe("Backups by command", () => {
  const passphrase = { stdin: "correct horse\n" }

  test("a FILE that ends with a slash is no file", async () => {
    const at = `${folder()}/x.foo.dir/`
    const { code, stderr } = await runLine(["backup", at, "--data", folder()])
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${at} names a folder: name a new file in it`)])
  })

  test("a --secret-file that holds no secret is refused by its name, and one that is not needed is mentioned", async () => {
    const [data, target] = [join(folder(), "data"), folder()]
    await runLine(["project", "create", "Shop", "--data", data])
    const file = join(target, "backup")
    const options = ["--data", data, "--with-secret", "--passphrase-stdin"]
    expect((await runLine(["backup", file, ...options], passphrase)).code).toBe(0)
    const restore = (secretFile: string) =>
      runLine(
        ["restore", file, "--data", join(target, "new"), "--secret-file", secretFile, "--passphrase-stdin"],
        passphrase,
      )
    const refused = await restore(file)
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`--secret-file ${file} is not the file \`secret\` of a data folder: `),
    ])
    expect(readdirSync(target)).toEqual(["backup"])
    const restored = await restore(join(data, "secret"))
    expect([restored.code, restored.stderr]).toEqual([0, expect.stringContaining("--secret-file was not needed")])
    expect(restored.stdout).toContain(`mailstead resume --data ${join(target, "new")} `)
  })

  test("a backup whose secret is lost is restored with --new-secret, which says what changes", async () => {
    const [data, target] = [join(folder(), "data"), folder()]
    await runLine(["project", "create", "Shop", "--data", data])
    const [file, at] = [join(target, "backup"), join(target, "new")]
    expect((await runLine(["backup", file, "--data", data])).code).toBe(0)
    const refused = await runLine(["restore", file, "--data", at])
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("--new-secret restores the rest")])
    const both = await runLine(["restore", file, "--data", at, "--new-secret", "--secret-file", join(data, "secret")])
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("exclude each other")])
    const restored = await runLine(["restore", file, "--data", at, "--new-secret"])
    expect([restored.code, restored.stderr]).toEqual([0, ""])
    expect(restored.stdout).toContain("Each project has a new secret key")
    expect((await runLine(["project", "list", "--data", at])).stdout).toContain("Shop")
  })
})

test("`mailstead service uninstall` where nothing is installed says so, and `install` refuses an address that the server would", async () => {
  const root = folder()
  const uninstalled = await runLine(["service", "uninstall", "--root", root], { env: { HOME: root } })
  expect([uninstalled.code, uninstalled.stderr]).toEqual([
    1,
    expect.stringContaining("No service is installed: there is no "),
  ])
  const args = ["service", "install", "--root", root, "--update-url", "foo"]
  const installed = await runLine(args, { env: { HOME: root } })
  expect([installed.code, installed.stderr]).toEqual([
    2,
    expect.stringContaining("update.url: expected an http:// or https://"),
  ])
  expect(readdirSync(root)).toEqual([])
})

test("`mailstead service` refuses --data and --config, which its unit would not have", async () => {
  const root = folder()
  for (const [verb, option] of [
    ["install", "--data"],
    ["install", "--config"],
    ["status", "--data"],
    ["uninstall", "--config"],
  ] as const) {
    const { code, stderr } = await runLine(["service", verb, "--root", root, option, join(root, "elsewhere")], {
      env: { HOME: root },
    })
    expect([code, stderr]).toEqual([2, expect.stringContaining("leave out --data and --config")])
  }
  expect(readdirSync(root)).toEqual([])
})

test("`mailstead health --json` prints a document without a server too, and says why a folder cannot be read", async () => {
  const data = folder()
  expect(await runLine(["health", "--json", "--data", data])).toEqual({
    code: 1,
    stdout: '{"status":null,"version":null}\n',
    stderr: `mailstead: No server is running on ${data}.\n`,
  })
  const file = join(data, "file")
  writeFileSync(file, "")
  const { stderr } = await runLine(["health", "--data", file])
  expect(stderr).toContain(`${file}/mailstead.url: not a directory. A file is where a folder should be`)
})

test("`mailstead health` asks the server itself, where a proxy is set for all programs of the machine", async () => {
  const data = folder()
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.json({ status: "ok", version: "1" }),
  })
  writeFileSync(join(data, "mailstead.url"), `http://127.0.0.1:${server.port}`)
  const { HTTP_PROXY, NO_PROXY } = process.env
  Object.assign(process.env, { HTTP_PROXY: "http://127.0.0.1:9", NO_PROXY: "" })
  try {
    expect(await runLine(["health", "--data", data])).toEqual({ code: 0, stdout: "ok (1)\n", stderr: "" })
  } finally {
    for (const [name, value] of Object.entries({ HTTP_PROXY, NO_PROXY }))
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    await server.stop(true)
  }
})

test("A server whose log is JSON writes nothing else, not even when it begins to listen, and no link into it", async () => {
  const stop = new AbortController()
  const written = { stdout: "", stderr: "" }
  const write = (to: keyof typeof written) => (text: string) => {
    written[to] += text
    if (written[to].includes("setup-link")) stop.abort()
  }
  const env = { MAILSTEAD_LOG_FORMAT: "json", MAILSTEAD_SMTP_SUBMISSION_PORT: "0" }
  const io = { stdout: write("stdout"), stderr: write("stderr"), env, stdin: async () => "", stop: stop.signal }
  expect(await runCommand(["serve", "--port", "0", "--data", folder()], io)).toBe(0)
  expect(written.stdout).toBe("")
  const messages = written.stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).message)
  expect(messages).toContainEqual(expect.stringMatching(/^Mailstead is listening on http:\/\/127\.0\.0\.1:\d+$/))
  expect(messages.join("\n")).not.toMatch(/https?:\S+\/app/)
})

test("What nothing has caught is a record of the log, too, and the server goes on (contract A8.4)", async () => {
  const place = folder()
  const [plugin, flag] = [join(place, "own.ts"), join(place, "flag")]
  writeFileSync(
    plugin,
    `import { existsSync, rmSync } from "node:fs"
    const timer = setInterval(() => {
      if (!existsSync(${JSON.stringify(flag)})) return
      rmSync(${JSON.stringify(flag)})
      clearInterval(timer)
      void Promise.reject(new Error("rejected"))
      throw new Error("late\\nsecond line")
    }, 1)
    const limits = { concurrency: 1, batch: 1 }
    export default { schemes: [], create: () => ({ name: "own", limits, send: async () => [], close: async () => {} }) }`,
  )
  const server = await startMailstead(["serve", "--port", "0", "--data", join(place, "data")], {
    env: { MAILSTEAD_MAIL_URL: `plugin:${plugin}` },
  })
  writeFileSync(flag, "")
  await until(() => !existsSync(flag))
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  expect(await server.stop()).toBe(0)
  const lines = (await server.said()).trim().split("\n")
  expect(lines).toContainEqual(
    expect.stringMatching(/Z error An error was not caught reason="late\\nsecond line" stack=/),
  )
  expect(lines).toContainEqual(expect.stringMatching(/Z error An error was not caught reason=rejected stack=/))
  for (const line of lines) expect(line).toMatch(/^\S+Z (error|warn |info ) /)
})

test("A command whose output is lost on a full disk fails: it may be the only copy of a key (contract A8.1)", async () => {
  const [data, kept] = [join(folder(), "data"), join(folder(), "keys")]
  expect((await runMailsteadInto(kept, ["project", "create", "Shop", "--data", data])).code).toBe(0)
  expect(readFileSync(kept, "utf8")).toContain("sk_")
  expect(await runMailsteadInto("/dev/full", ["project", "create", "Blog", "--data", data])).toEqual({
    code: 1,
    stdout: "",
    stderr: "mailstead: The output could not be written: no space left on device.\n",
  })
})
