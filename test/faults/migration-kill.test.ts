import { Database } from "bun:sqlite"
import { beforeEach, expect, test } from "bun:test"
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { pauseSending, sendingPauseOf } from "../../src/store/sending-pause.ts"
import { migrate } from "../../src/store/sqlite/migrate.ts"
import { requireMounts } from "../harness/mailstead.ts"
import { scratch, until } from "../harness/store.ts"

const folder = scratch()
const first = {
  name: "0000_first",
  sql: "CREATE TABLE project (name TEXT); INSERT INTO project VALUES ('Shop'); CREATE TABLE filler (x BLOB); INSERT INTO filler VALUES (randomblob(1000000));",
}
const second = { name: "0001_second", sql: "UPDATE project SET name = 'Shop of the second'" }
/** Writes without end, as far as a test is concerned. */
const third = {
  name: "0002_third",
  sql: "CREATE TABLE much (x BLOB); WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 4000) INSERT INTO much SELECT randomblob(5000) FROM n;",
}

const program = (data: string) => `
import { Database } from "bun:sqlite"
import { migrate } from ${JSON.stringify(join(import.meta.dir, "../../src/store/sqlite/migrate.ts"))}
const path = ${JSON.stringify(join(data, "mailstead.db"))}
const client = new Database(path)
client.run("PRAGMA journal_mode = WAL")
client.run("PRAGMA cache_size = 10")
try {
  migrate(client, path, 0, ${JSON.stringify([first, second, third])})
} catch (cause) {
  console.log(cause.code ?? cause.message)
}
client.close()`

let data: string
beforeEach(makeData)

function makeData(): void {
  data = folder()
  const client = new Database(join(data, "mailstead.db"))
  client.run("PRAGMA journal_mode = WAL")
  migrate(client, join(data, "mailstead.db"), 0, [first])
  client.run("PRAGMA wal_checkpoint(TRUNCATE)")
  client.close()
}

function contents(path = join(data, "mailstead.db")) {
  const client = new Database(path)
  const names = (query: string) => client.query(query).values().flat()
  const found = {
    sound: names("PRAGMA integrity_check"),
    migrations: names("SELECT name FROM migration ORDER BY name"),
    projects: names("SELECT name FROM project"),
    tables: names("SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'much'"),
  }
  client.close()
  return found
}
const before = { sound: ["ok"], migrations: ["0000_first"], projects: ["Shop"], tables: [] }
const after = {
  ...before,
  migrations: ["0000_first", "0001_second", "0002_third"],
  projects: ["Shop of the second"],
  tables: ["much"],
}
const copy = "mailstead.db.before-0001_second"

/** Kills the migrations as soon as a part of the third is written; resolves to whether they were still running. */
async function killMigrations(): Promise<boolean> {
  const child = Bun.spawn([process.execPath, "-e", program(data)], { stdout: "pipe" })
  const size = (name: string) => statSync(join(data, name), { throwIfNoEntry: false })?.size ?? 0
  while (child.exitCode === null && size("mailstead.db-wal") < 4_000_000) await Bun.sleep(1)
  child.kill("SIGKILL")
  await child.exited
  expect(await new Response(child.stdout).text()).toBe("")
  return child.signalCode === "SIGKILL"
}

test("migrations that are killed leave the database as it was, and the next start migrates it", async () => {
  await until(async () => {
    const isKilled = await killMigrations()
    // On a busy machine they may have ended before the kill.
    if (!isKilled) makeData()
    return isKilled
  })
  expect(contents()).toEqual(before)
  expect(contents(join(data, copy))).toEqual(before)
  expect(await Bun.spawn([process.execPath, "-e", program(data)]).exited).toBe(0)
  expect(contents()).toEqual(after)
})

test.each([
  ["for the copy", "1500k", "SQLITE_FULL", []],
  ["for the changes", "6m", "SQLITE_FULL", [copy]],
] as const)("a disk that is too full %s leaves the database as it was", async (_, size, code, copies) => {
  const at = folder()
  mkdirSync(join(at, "mounted"))
  await requireMounts(join(at, "mounted"))
  const mounted = join(at, "mounted")
  const script = `mount -t tmpfs -o size=${size} tmpfs "$1" && cp "$2"/mailstead.db "$1" && "$3" -e "$4" && cp "$1"/* "$5"`
  const out = join(at, "out")
  mkdirSync(out)
  const words = ["unshare", "-rm", "sh", "-c", script, "sh", mounted, data, process.execPath, program(mounted), out]
  const child = Bun.spawn(words, { stdout: "pipe" })
  expect(await new Response(child.stdout).text()).toBe(`${code}\n`)
  expect(await child.exited).toBe(0)
  expect(contents(join(out, "mailstead.db"))).toEqual(before)
  expect(readdirSync(out).filter((name) => name.includes("before"))).toEqual([...copies])
})

test("the copy is on disk before it has its name, and its name before the migration", async () => {
  const strace = Bun.which("strace")
  if (strace === null) throw new Error("strace is missing: apt-get install strace")
  const out = join(folder(), "trace")
  const calls = "trace=fsync,fdatasync,rename,renameat,renameat2"
  const command = [strace, "-f", "-y", "-e", calls, "-o", out, process.execPath, "-e", program(data)]
  expect(await Bun.spawn(command, { stdout: "ignore", stderr: "ignore" }).exited).toBe(0)
  const lines = (await Bun.file(out).text()).split("\n")
  const at = (pattern: RegExp) => lines.findIndex((line) => pattern.test(line))
  const synced = at(/f(?:data)?sync\(\d+<[^>]*before-0001_second\.draft>/)
  const named = at(/rename\w*\(.*before-0001_second\.draft/)
  expect(synced).toBeGreaterThanOrEqual(0)
  expect(named).toBeGreaterThan(synced)
  expect(lines[named + 1]).toContain(`fsync(`)
  expect(lines[named + 1]).toContain(`<${data}>`)
})

test("the way back in backups.md pauses sending and keeps the newer database; taken again, it changes nothing", () => {
  const text = readFileSync(join(import.meta.dir, "../../config/backups.md"), "utf8")
  const script = /sh -ec '([^']*)'/.exec(text)?.[1] ?? ""
  const goBack = () =>
    Bun.spawnSync(["sh", "-ec", script.replace("/var/lib/mailstead", data).replace("NAME", "0001_second")]).exitCode
  const update = () => {
    const client = new Database(join(data, "mailstead.db"))
    migrate(client, join(data, "mailstead.db"), 0, [first, second])
    client.close()
    return contents()
  }
  const updated = update()
  // That of an update which was interrupted, and which ends it when it is brought to its end.
  pauseSending(data, { since: 1, takenAt: undefined })
  expect(goBack()).toBe(0)
  expect(sendingPauseOf(data)?.since).not.toBe(1)
  expect(readdirSync(data).toSorted()).toEqual(["mailstead.db", "newer", "sending-paused"])
  expect(contents(join(data, "newer", "mailstead.db"))).toEqual(updated)
  expect(contents()).toEqual(before)
  update()
  expect(goBack()).not.toBe(0)
  expect(contents()).toEqual(updated)
})
