import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { sql } from "drizzle-orm"
import { day, iso, minute } from "../../src/kernel/clock.ts"
import { backupTable } from "../../src/modules/backups/table.ts"
import type { TakeOptions } from "../../src/store/backup/take.ts"
import { pauseSending } from "../../src/store/sending-pause.ts"
import { type Browser, password, signIn, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { startBucketServer } from "../harness/bucket-server.ts"
import { runCommand } from "../harness/commands.ts"
import { send } from "../harness/mails.ts"
import { refuseChanges } from "../harness/refused-changes.ts"
import { until } from "../harness/store.ts"

let it: TestApp
let owner: Browser
/** What was asked of the process that takes backups, and what it does. */
let asked: TakeOptions[]
let act: (options: TakeOptions) => Promise<number>

const write = async ({ target }: TakeOptions) => {
  writeFileSync(target, "a backup")
  return 8
}

beforeAll(async () => {
  it = await startTestApp({
    settings: {
      "backup.schedule": "30 3 * * *",
      "backup.keep": "2",
      "backup.passphrase": "correct horse",
      "backup.with_secret": "true",
    },
    overrides: {
      takeBackup: (options) => {
        asked.push(options)
        return act(options)
      },
    },
  })
  owner = await signUp(it, "owner@acme.test")
})
afterAll(() => it.close())
beforeEach(() => {
  asked = []
  act = write
})

const list = async () => (await owner.api("GET /instance/backups")).body.data
const take = async () => {
  const { status } = await owner.api("POST /instance/backups")
  await it.settle()
  return status
}
const give = async (given: string) =>
  (await owner.api("POST /auth/reauthenticate", { body: { password: given } })).status
const audited = async (action: string) =>
  (await owner.api("GET /instance/audit")).body.data.filter((row: { action: string }) => row.action === action)

/** What a server finds at its start of a backup that began just now and has not ended; resolves to the newest one. */
async function interrupt(name: string) {
  it.clock.advance(1)
  const [row] = await it.app.backups.list()
  if (row === undefined) throw new Error("There was no backup")
  const running = { ...row, id: name, name, state: "RUNNING", startedAt: it.clock.now(), endedAt: null } as const
  await it.app.store.write("instance", async (unit) => void (await unit.db.insert(backupTable).values(running)))
  for (const { name, open } of it.app.modules) if (name === "backups") await open?.()
  return (await list()).backups[0]
}

describe("Backups of the server (contract B8.3.25)", () => {
  test("are taken by the schedule, encrypted as it was set", async () => {
    await it.settle()
    expect(await list()).toMatchObject({ schedule: "30 3 * * *", keep: 2, encrypted: true, backups: [] })
    await it.advance({ days: 1 })
    const { backups, folder, nextAt } = await list()
    expect(backups).toMatchObject([
      { state: "DONE", bytes: 8, encrypted: true, hasSecret: true, reason: null, available: true },
    ])
    expect(folder).toBe(join(it.folder, "backups"))
    expect(nextAt).toEndWith("T03:30:00.000Z")
    const target = join(folder, backups[0].name)
    expect(asked).toMatchObject([{ folder: it.folder, target, passphrase: "correct horse", withSecret: true }])
  })

  test("are taken on request, and audited; the older ones are deleted with their files", async () => {
    for (let n = 0; n < 3; n++) expect(await take()).toBe(202)
    const { backups, folder } = await list()
    expect(backups.map(({ state }: { state: string }) => state)).toEqual(["DONE", "DONE"])
    const files = asked.map(({ target }) => existsSync(target))
    expect([files, folder]).toEqual([[false, true, true], join(it.folder, "backups")])
    expect(await audited("backup.requested")).toMatchObject([{ actor: "owner@acme.test" }, {}, {}])
  })

  test("stay when an older one cannot be deleted, which is tried again with the next", async () => {
    const { backups, folder } = await list()
    const oldest = join(folder, backups.at(-1).name)
    rmSync(oldest)
    // A folder is not deleted as a file is, not even for root.
    mkdirSync(join(oldest, "stuck"), { recursive: true })
    expect(await take()).toBe(202)
    const [newest] = (await list()).backups
    expect(newest).toMatchObject({ state: "DONE", available: true })
    expect(readFileSync(join(folder, newest.name), "utf8")).toBe("a backup")
    expect(it.complaints.filter(({ level }) => level === "error")).toEqual([])
    expect(it.complaints).toContainEqual(
      expect.objectContaining({ message: "The file of a backup could not be deleted" }),
    )
    rmSync(join(oldest, "stuck"), { recursive: true })
    rmSync(oldest, { recursive: true })
    expect(await take()).toBe(202)
    expect((await list()).backups.length).toBe(2)
  })

  test("that were taken while the clock was ahead are older than those that follow once it is set back", async () => {
    it.clock.jump(3 * day)
    for (let n = 0; n < 2; n++) await take()
    const [ahead] = (await list()).backups
    it.clock.jump(-3 * day)
    await take()
    expect((await list()).backups).toMatchObject([{ startedAt: iso(it.clock.now()), available: true }, ahead])
    await take()
    expect((await list()).backups).not.toContainEqual(ahead)
  })

  test("are taken one at a time", async () => {
    expect((await owner.api("POST /instance/backups")).status).toBe(202)
    const second = await owner.api("POST /instance/backups")
    expect([second.status, second.body.error.code]).toEqual([409, "CONFLICT"])
    await it.settle()
    expect(asked.length).toBe(1)
  })

  test("that fail say why, are logged, delete nothing and leave no file", async () => {
    const before = await list()
    act = async ({ target }) => {
      writeFileSync(`${target}.part`, "half")
      throw new Error("The disk is full: free some space.")
    }
    await take()
    const { backups } = await list()
    expect(backups[0]).toMatchObject({ state: "FAILED", reason: "The disk is full: free some space.", bytes: null })
    expect(backups.slice(1)).toEqual(before.backups)
    expect(existsSync(`${asked[0]?.target}.part`)).toBe(false)
    expect(it.complaints).toContainEqual(expect.objectContaining({ level: "error", message: "A backup failed" }))
    act = write
    await take()
    expect((await list()).backups[0].state).toBe("DONE")
  })

  test("are downloaded by the owner of the instance, which is audited", async () => {
    const [done, failed] = (await list()).backups
    expect(await give(password)).toBe(200)
    const { status, headers, body: text } = await owner.api(`GET /instance/backups/${done.id}/file`)
    expect([status, text]).toEqual([200, "a backup"])
    expect(headers.get("content-disposition")).toBe(`attachment; filename="${done.name}"`)
    expect(headers.get("cache-control")).toBe("no-store")
    expect(await audited("backup.downloaded")).toMatchObject([{ details: { name: done.name } }])
    for (const id of [failed.id, "0199c0de-0000-7000-8000-0000000fffff", "no-id"])
      expect((await owner.api(`GET /instance/backups/${id}/file`)).status).toBe(404)
  })

  test("are downloaded only when the password was given in the same session within ten minutes (contract B8.2.12)", async () => {
    const { id } = (await list()).backups.find(({ available }: { available: boolean }) => available)
    const file = async (by = owner) => (await by.api(`GET /instance/backups/${id}/file`)).status
    const elsewhere = await signIn(it, "owner@acme.test")
    expect(await give(password)).toBe(200)
    it.clock.advance(10 * minute)
    expect(await file()).toBe(200)
    it.clock.advance(1)
    expect([await file(), await give("wrong"), await file()]).toEqual([403, 401, 403])
    expect([await give(password), await file(), await file(elsewhere)]).toEqual([200, 200, 403])
  })

  test("that the end of the server interrupts have failed at its next start", async () => {
    const failed = { state: "FAILED", reason: "The server ended meanwhile." }
    const { folder } = await list()
    writeFileSync(join(folder, "half.part"), "half")
    expect(await interrupt("half")).toMatchObject(failed)
    expect(existsSync(join(folder, "half.part"))).toBe(false)
    // As on a disk that can only be read, its file cannot be deleted.
    mkdirSync(join(folder, "stuck"))
    expect(await interrupt("stuck")).toMatchObject(failed)
    rmSync(join(folder, "stuck"), { recursive: true })
  })

  test("whose end could not be recorded have failed, and keep nobody from asking for the next one", async () => {
    let heal: () => Promise<void> = async () => {}
    act = async () => {
      heal = await refuseChanges(it.app.store, { change: "UPDATE", table: "backup" })
      throw new Error("The disk is full: free some space.")
    }
    await take()
    // Longer than the job is tried again.
    for (let hours = 0; hours < 12; hours++) await it.advance({ hours: 1 })
    await heal()
    act = write
    expect((await list()).backups[0].state).toBe("RUNNING")
    expect(await take()).toBe(202)
    expect((await list()).backups.slice(0, 2)).toMatchObject([
      { state: "DONE" },
      { state: "FAILED", reason: "Its end could not be recorded: the log tells more." },
    ])
  })

  test("stay when they are whole and only their record was missing, as of the one that a folder was restored from", async () => {
    const { folder } = await list()
    writeFileSync(join(folder, "whole"), "a backup")
    expect(await interrupt("whole")).toMatchObject({ state: "DONE", reason: null, bytes: 8, available: true })
    expect(readFileSync(join(folder, "whole"), "utf8")).toBe("a backup")
  })
})

test("A server that cannot be opened closes what it has opened: its transports and its store", async () => {
  const own = await startTestApp()
  await own.app.backups.take(AbortSignal.abort()).catch(() => {})
  await own.app.store.write("instance", async (unit) => {
    await unit.db.run(sql`UPDATE backup SET state = 'RUNNING'`)
    await unit.db.run(sql`CREATE TRIGGER stuck BEFORE UPDATE ON backup BEGIN SELECT RAISE(ABORT, 'stuck'); END`)
  })
  await own.stop()
  let closed = 0
  const close = async () => void closed++
  const transports = { transactional: own.transport, bulk: own.transport, members: [], close }
  const again = () => startTestApp({ folder: own.folder, clock: own.clock, ids: own.ids, overrides: { transports } })
  await expect(again()).rejects.toThrow("stuck")
  expect(closed).toBe(1)
  // Its store is not locked.
  await expect(again()).rejects.toThrow("stuck")
  await own.close()
})

describe("Data that was restored (contract B8.3.26)", () => {
  test("is not sent from until the owner resumes it; what is accepted waits", async () => {
    const takenAt = it.clock.now()
    pauseSending(it.folder, { since: takenAt + 1_000, takenAt })
    await send(it, "a@example.com")
    await it.advance({ minutes: 5 })
    expect(it.sent()).toEqual([])
    const { sendingPaused } = await list()
    expect([sendingPaused.takenAt, sendingPaused.since].map((at) => Date.parse(at))).toEqual([takenAt, takenAt + 1_000])
    expect((await it.api("GET /config")).body.features.email.paused).toBe(true)

    expect((await owner.api("POST /instance/resume-sending")).body.data).toEqual({ resumed: true })
    await it.advance({ seconds: 2 })
    expect(it.sent().map(({ envelope }) => envelope.to)).toEqual(["a@example.com"])
    expect((await owner.api("POST /instance/resume-sending")).body.data).toEqual({ resumed: false })
    expect(await audited("sending.resumed")).toMatchObject([{ actor: "owner@acme.test" }])
    expect((await it.api("GET /config")).body.features.email.paused).toBe(false)
  })

  test("has no failed backup, although that which it was restored from is in it as running", async () => {
    const { folder } = await list()
    const before = (await list()).backups
    pauseSending(it.folder, { since: it.clock.now() + 1_000, takenAt: it.clock.now() + 1 })
    expect(await interrupt("elsewhere")).toEqual(before[0])
    writeFileSync(join(folder, "beside"), "a backup")
    pauseSending(it.folder, { since: it.clock.now() + 1_000, takenAt: it.clock.now() + 1 })
    expect(await interrupt("beside")).toMatchObject({ state: "DONE", available: true })
    pauseSending(it.folder, { since: it.clock.now(), takenAt: it.clock.now() })
    expect(await interrupt("own")).toMatchObject({ state: "FAILED" })
    expect((await runCommand(it, "resume")).json).toEqual({ resumed: true })
  })

  test("deletes no older backups before it is resumed: they may be those of a server that runs", async () => {
    const taken = async () =>
      (await list()).backups.filter(({ name }: { name: string }) => name.startsWith("mailstead-")).length
    const before = await taken()
    pauseSending(it.folder, { since: it.clock.now(), takenAt: it.clock.now() })
    for (let n = 0; n < 3; n++) expect(await take()).toBe(202)
    expect(await taken()).toBe(before + 3)
    expect((await runCommand(it, "resume")).json).toEqual({ resumed: true })
    await take()
    expect(await taken()).toBe(2)
  })

  test("is resumed by the command too, beside the running server (contract A8.1)", async () => {
    writeFileSync(join(it.folder, "sending-paused"), "unreadable")
    await send(it, "b@example.com")
    await it.advance({ minutes: 1 })
    expect(it.sent().length).toBe(1)
    expect((await runCommand(it, "resume")).json).toEqual({ resumed: true })
    await it.advance({ seconds: 2 })
    expect(it.sent().length).toBe(2)
    expect((await runCommand(it, "resume")).json).toEqual({ resumed: false })
  })
})

describe("A bucket (contract B8.3.25)", () => {
  async function startWithBucket() {
    const store = startBucketServer()
    const other = await startTestApp({
      settings: {
        "backup.keep": "1",
        "backup.url": `s3://bucket/daily?region=eu-west-1&endpoint=${encodeURIComponent(store.origin)}`,
      },
      overrides: {
        takeBackup: (options) => {
          asked.push(options)
          return write(options)
        },
        env: (name) => ({ AWS_ACCESS_KEY_ID: "AKIA", AWS_SECRET_ACCESS_KEY: "secret" })[name],
      },
    })
    return { store, other }
  }

  test("gets a copy of each backup, which is deleted with its original; a refusal is told", async () => {
    const { store, other } = await startWithBucket()
    const names = async () =>
      (await other.app.backups.list()).map(({ name, reason }) => [`/bucket/daily/${name}`, reason])
    await other.app.backups.take(new AbortController().signal)
    await other.clock.advance(1_000)
    await other.app.backups.take(new AbortController().signal)
    const [only] = await names()
    expect([await names(), [...store.objects]]).toEqual([[only ?? []], [[String(only?.[0]), Buffer.from("a backup")]]])
    store.isOpen = false
    await other.clock.advance(1_000)
    await other.app.backups.take(new AbortController().signal)
    const [last] = await other.app.backups.list()
    expect(last).toMatchObject({ state: "DONE", reason: expect.stringContaining("bucket refused it (AccessDenied)") })
    // The copy that could not be deleted goes with a later backup.
    expect([...store.objects.keys()]).toEqual([String(only?.[0])])
    store.isOpen = true
    await other.clock.advance(1_000)
    await other.app.backups.take(new AbortController().signal)
    expect([...store.objects.keys()]).toEqual((await names()).map(([name]) => String(name)))

    // A server that stops does not wait for it; the backup itself is whole.
    const upload = Promise.withResolvers<void>()
    const stopping = new AbortController()
    store.held = upload.promise
    await other.clock.advance(1_000)
    const taking = other.app.backups.take(stopping.signal)
    await until(() => existsSync(String(asked.at(-1)?.target)))
    stopping.abort()
    await expect(taking).rejects.toThrow()
    expect((await other.app.backups.list())[0]).toMatchObject({
      state: "DONE",
      reason: "It is not in the bucket: The copy was stopped before its end.",
      available: true,
    })
    upload.resolve()
    await other.close()
    await store.stop()
  })

  test("that does not answer when an old copy is deleted does not keep the server from stopping", async () => {
    const { store, other } = await startWithBucket()
    await other.app.backups.take(new AbortController().signal)
    const [deletion, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    store.beforeDeletion = () => {
      deletion.resolve()
      return answer.promise
    }
    const stopping = new AbortController()
    await other.clock.advance(1_000)
    const taking = other.app.backups.take(stopping.signal)
    await deletion.promise
    stopping.abort()
    await taking
    const reasons = other.complaints.map(({ fields }) => fields.reason)
    expect(reasons).toEqual(["The bucket bucket gave no answer: stopped before an answer came."])
    answer.resolve()
    store.beforeDeletion = undefined
    await other.clock.advance(1_000)
    await other.app.backups.take(new AbortController().signal)
    const [{ name } = { name: "none" }] = await other.app.backups.list()
    expect([...store.objects.keys()]).toEqual([`/bucket/daily/${name}`])
    await other.close()
    await store.stop()
  })

  test("keeps no copy for ever of a backup that failed when its end was recorded", async () => {
    const { store, other } = await startWithBucket()
    const run = (query: string) =>
      other.app.store.write("instance", async (unit) => void (await unit.db.run(sql.raw(query))))
    const take = async () => {
      await other.clock.advance(1_000)
      await other.app.backups.take(new AbortController().signal)
    }
    await run(
      "CREATE TRIGGER full BEFORE UPDATE ON backup WHEN NEW.state = 'DONE' BEGIN SELECT RAISE(ABORT, 'disk full'); END",
    )
    await take()
    const [failed] = await other.app.backups.list()
    expect(failed?.state).toBe("FAILED")
    await run("DROP TRIGGER full")
    await take()
    const all = await other.app.backups.list()
    expect(all).toMatchObject([{ state: "DONE" }])
    expect([...store.objects.keys()]).toEqual(all.map(({ name }) => `/bucket/daily/${name}`))
    await other.close()
    await store.stop()
  })
})
