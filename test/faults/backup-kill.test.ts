import { Database } from "bun:sqlite"
import { beforeAll, expect, test } from "bun:test"
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { idOfBytes } from "../../src/kernel/ids.ts"
import { takeInProcess } from "../../src/store/backup/take-in-process.ts"
import { backUp, fillFolder, inDatabase, namesIn, restore } from "../harness/backups.ts"
import { killMailstead, requireMounts, runMailstead, runOnSmallDisk, startServer } from "../harness/mailstead.ts"
import { scratch, until } from "../harness/store.ts"

const folder = scratch()
const megabytes = 24
let home: string
let data: string
let file: string
let secretFile: string

beforeAll(async () => {
  home = folder()
  data = join(home, "data")
  mkdirSync(data)
  await fillFolder(data, megabytes)
  file = join(home, "whole.tar.zst")
  secretFile = join(data, "secret")
  await backUp(data, file)
})

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? -1

test("a backup that is killed leaves no file of that name, and the next one with it is whole", async () => {
  const target = join(folder(), "killed.tar.zst")
  const draft = `${target}.part`
  for (const bytes of [0, 1, 3_000_000, 8_000_000]) {
    await until(async () => {
      await killMailstead(["backup", target, "--data", data], () => sizeOf(draft) >= bytes)
      if (existsSync(draft)) return true
      // On a busy machine it may have ended before the kill.
      rmSync(target)
      return false
    })
    expect(existsSync(target)).toBe(false)
    await expect(backUp(data, target)).rejects.toThrow("another backup is running, or one was interrupted")
    rmSync(draft)
  }
  expect((await backUp(data, target)).bytes).toBeGreaterThan(8_000_000)
  expect(inDatabase(data, (db) => db.query("PRAGMA integrity_check").get())).toEqual({ integrity_check: "ok" })
})

test("a restore that is killed leaves nothing that a server would take, and the next one starts anew", async () => {
  const at = join(folder(), "restored")
  const args = ["restore", file, "--data", at, "--secret-file", secretFile]
  const staged = join(at, "restoring", "mailstead.db")
  const points = [0, 1, 10_000_000, megabytes * 1_048_576].map((bytes) => () => sizeOf(staged) >= bytes)
  for (const when of [() => existsSync(join(at, "restoring")), ...points]) {
    await until(async () => {
      await killMailstead(args, when)
      if (existsSync(join(at, "restoring"))) return true
      // On a busy machine it may have ended before the kill.
      rmSync(at, { recursive: true, force: true })
      return false
    })
    expect(await runMailstead(["project", "list", "--data", at])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("has not ended"),
    })
  }
  await restore(file, at, { secretFile })
  expect((await runMailstead(["project", "list", "--data", at])).stdout).toContain("Acme")
})

test("the process that the server has backups taken by resolves to the bytes, and is ended with the server", async () => {
  const place = folder()
  const target = join(place, "aside")
  const options = { folder: data, target, passphrase: "correct horse", withSecret: true }
  expect(await takeInProcess(options, new AbortController().signal)).toBe(sizeOf(target))
  await expect(takeInProcess(options, new AbortController().signal)).rejects.toThrow(/^.*aside exists/)
  const stopping = new AbortController()
  const taking = takeInProcess({ ...options, target: `${target}2` }, stopping.signal)
  await until(() => sizeOf(`${target}2.part`) > 0)
  stopping.abort()
  await expect(taking).rejects.toThrow()
  expect(namesIn(place).filter((name) => name.startsWith("aside2"))).toEqual([])
})

test("a full disk ends a backup and a restore with a sentence, and leaves nothing behind", async () => {
  const at = join(folder(), "disk")
  mkdirSync(at)
  await requireMounts(at)
  const backup = await runOnSmallDisk(at, "4m", ["backup", join(at, "b"), "--data", data])
  expect(backup).toMatchObject({ code: 1, stderr: expect.stringContaining("The disk is full"), left: [] })
  const restored = await runOnSmallDisk(at, "8m", ["restore", file, "--data", at, "--secret-file", secretFile])
  expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining("The disk is full") })
  expect(restored.left.filter((name) => !name.startsWith("mailstead.lock") && name !== "mailstead.pid")).toEqual([])
})

test("a backup under load has everything that was acknowledged before it began", async () => {
  const place = folder()
  const [live, target, at] = [join(place, "live"), join(place, "live.tar.zst"), join(place, "again")]
  mkdirSync(live)
  const { publicKey, secret } = await fillFolder(live, 4)
  const server = await startServer(live, { MAILSTEAD_LIMITS_REQUESTS_PER_MINUTE: "0" })
  const acknowledged: string[] = []
  let isOver = false
  const post = (path: string, key: string, body: unknown) =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    })
  const load = Array.from({ length: 8 }, async (_, client) => {
    for (let n = 0; !isOver; n++) {
      const email = `${client}-${n}@example.com`
      const { ok } = await post("/v1/track", publicKey, { event: "seen", email })
      if (ok) acknowledged.push(email)
    }
  })
  const image = crypto.getRandomValues(new Uint8Array(5_000)).toBase64()
  const attachments = [{ filename: "a.bin", contentType: "application/octet-stream", content: image }]
  const mail = { to: "ada@example.com", from: "a@acme.test", subject: "Hi", body: "Hi", attachments }
  await runMailstead(["domain", "add", "acme.test", "--verified", "--project", await projectIn(live), "--data", live])
  expect((await post("/v1/send", secret, mail)).status).toBe(200)
  while (acknowledged.length < 200) await Bun.sleep(1)
  const before = [...acknowledged]
  const { code, stderr } = await runMailstead(["backup", target, "--data", live])
  isOver = true
  await Promise.all(load)
  expect([code, stderr]).toEqual([0, ""])
  expect(acknowledged.length).toBeGreaterThan(before.length)
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  expect(await server.stop()).toBe(0)

  await restore(target, at, { secretFile: join(live, "secret") })
  const db = new Database(join(at, "mailstead.db"), { readonly: true })
  const emails = new Set(
    db
      .query<{ email: string }, []>("SELECT email FROM contact")
      .all()
      .map(({ email }) => email),
  )
  const events = db.query<{ n: number }, []>("SELECT count(*) AS n FROM event WHERE name = 'seen'").get()
  db.close()
  expect(before.filter((email) => !emails.has(email))).toEqual([])
  expect(events?.n).toBeGreaterThanOrEqual(before.length)
  const stored = new Bun.CryptoHasher("sha256").update(Buffer.from(image, "base64")).digest("hex")
  expect(existsSync(join(at, "files", stored.slice(0, 2), stored))).toBe(true)
  expect(namesIn(at)).toContain("sending-paused")
})

const projectIn = async (at: string): Promise<string> =>
  inDatabase(at, (db) => {
    const row = db.query<{ id: Uint8Array }, []>("SELECT id FROM project").get()
    return row === null ? "" : idOfBytes(row.id)
  })
