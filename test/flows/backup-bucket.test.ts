import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test"
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { fillFolder, inDatabase, namesIn } from "../harness/backups.ts"
import { type BucketServer, startBucketServer } from "../harness/bucket-server.ts"
import { runLine } from "../harness/commands.ts"
import { runMailstead } from "../harness/mailstead.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
let store: BucketServer
let data: string
let env: Record<string, string>

beforeAll(async () => {
  store = startBucketServer()
  env = {
    AWS_ACCESS_KEY_ID: "AKIA",
    AWS_SECRET_ACCESS_KEY: "secret",
    MAILSTEAD_BACKUP_URL: `s3://scheduled/daily?region=eu-west-1&endpoint=${encodeURIComponent(store.origin)}`,
    MAILSTEAD_BACKUP_PASSPHRASE: "correct horse",
  }
  data = join(folder(), "data")
  mkdirSync(data)
  // More than one part of an upload, when it is compressed.
  await fillFolder(data, 20)
})
afterAll(() => store.stop())
beforeEach(() => {
  store.isOpen = true
})

const url = "s3://other/a folder/today.sealed"
const backup = (target: string, more: Record<string, string> = {}) =>
  runMailstead(["backup", target, "--data", data, "--with-secret", "--json"], { env: { ...env, ...more } })
const restore = (source: string, at: string) => runMailstead(["restore", source, "--data", at], { env })

test("a command takes a backup into a bucket with the endpoint of backup.url, and restores it from there (contract A8.1)", async () => {
  const taken = await backup(url)
  expect(taken.stderr).toBe("")
  const key = "/other/a%20folder/today.sealed"
  expect([...store.objects.keys()]).toEqual([key])
  const bytes = store.objects.get(key)?.length
  expect(JSON.parse(taken.stdout)).toMatchObject({ file: url, bytes, encrypted: true, secret: true })
  expect(bytes).toBeGreaterThan(8 * 1_048_576)
  expect(readdirSync(join(data, "backups"))).toEqual([])

  const at = join(folder(), "new")
  expect(await restore(url, at)).toMatchObject({ code: 0, stderr: "" })
  expect(inDatabase(at, (db) => db.query("SELECT count(*) AS n FROM content").get())).toEqual({ n: 20 })

  expect(await backup(url)).toMatchObject({ code: 1, stderr: expect.stringContaining(`${url} exists`) })
})

test("a bucket that refuses leaves no file behind, and an object that is missing or damaged leaves the folder empty", async () => {
  store.isOpen = false
  const refused = await backup("s3://other/b")
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("refused it (AccessDenied). AWS_ACCESS") })
  store.isOpen = true
  expect(readdirSync(join(data, "backups"))).toEqual([])

  const at = join(folder(), "new")
  expect(await restore("s3://other/none", at)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The bucket other refused it (NoSuchKey). It has no such file."),
  })
  const whole = store.objects.get("/other/a%20folder/today.sealed") ?? Buffer.alloc(0)
  ;(store.objects as Map<string, Buffer>).set("/other/half", whole.subarray(0, whole.length / 2))
  expect(await restore("s3://other/half", at)).toMatchObject({ code: 1, stderr: expect.stringContaining("damaged") })
  expect(existsSync(at) ? namesIn(at) : []).toEqual([])
})

test("a part that fails is sent again three times, then the backup fails and the store keeps no parts", async () => {
  store.faults.push(503, 500, 503)
  expect(await backup("s3://other/retried")).toMatchObject({ code: 0, stderr: "" })
  expect(store.objects.get("/other/retried")?.length).toBeGreaterThan(8 * 1_048_576)

  store.faults.push(503, 503, 503, 503)
  expect(await backup("s3://other/failed")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The bucket other refused it (SlowDown)."),
  })
  expect([store.faults, store.objects.has("/other/failed"), [...store.uploads]]).toEqual([[], false, []])
})

test("the error code of a store is told in one printable line of limited length", async () => {
  const code = `Odd\r\n2026-01-01 INFO \x1b[31mforged ${"A".repeat(1_000)}`
  using refusing = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ method }) =>
      method === "GET"
        ? new Response("<Error><Code>NoSuchKey</Code></Error>", { status: 404 })
        : new Response(`<Error><Code>${code}</Code></Error>`, { status: 400 }),
  })
  const endpoint = encodeURIComponent(refusing.url.origin)
  const { code: exit, stderr } = await backup(`s3://other/b?region=eu-west-1&endpoint=${endpoint}`)
  expect(exit).toBe(1)
  expect(stderr).toMatch(/^mailstead: The bucket other refused it \(Odd 2026-01-01 INFO \[31mforged A+…\)\.\n$/)
  expect(stderr.length).toBeLessThan(500)
})

test("a restore from a store that stops sending ends when it is told to, and leaves the folder empty", async () => {
  const whole = store.objects.get("/other/a%20folder/today.sealed") ?? Buffer.alloc(0)
  const [half, ended] = [Promise.withResolvers<void>(), new AbortController()]
  const stalled = createServer((socket) => {
    socket.on("error", () => {})
    socket.on("data", (request) => {
      const [, last] = /range: bytes=0-(\d+)/i.exec(request.toString()) ?? []
      const head = (status: string, bytes: number) => `HTTP/1.1 ${status}\r\nContent-Length: ${bytes}\r\n\r\n`
      if (last !== undefined) {
        socket.write(head("206 Partial Content", Number(last) + 1))
        socket.write(whole.subarray(0, Number(last) + 1))
      } else {
        socket.write(head("200 OK", whole.length))
        socket.write(whole.subarray(0, whole.length / 2), () => half.resolve())
      }
    })
  })
  await new Promise<void>((resolve) => stalled.listen(0, "127.0.0.1", resolve))
  const { port } = stalled.address() as AddressInfo
  const at = join(folder(), "stalled")
  const url = `s3://other/half?region=eu-west-1&endpoint=http://127.0.0.1:${port}`
  const restoring = runLine(["restore", url, "--data", at], { env, stop: ended.signal })
  await half.promise
  ended.abort()
  const restored = await restoring
  stalled.close()
  expect(restored).toMatchObject({
    code: 1,
    stderr: "mailstead: The restore was stopped. The folder is empty again.\n",
  })
  expect(existsSync(at) ? namesIn(at) : []).toEqual([])
})

test("a backup into a store that does not answer ends when it is told to", async () => {
  const [asked, ended] = [Promise.withResolvers<void>(), new AbortController()]
  const silent = createServer((socket) => {
    socket.on("error", () => {})
    socket.on("data", () => asked.resolve())
  })
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
  const target = `s3://other/b?region=eu-west-1&endpoint=http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const taking = runLine(["backup", target, "--data", data], { env, stop: ended.signal })
  await asked.promise
  ended.abort()
  const taken = await taking
  silent.close()
  expect(taken).toMatchObject({ code: 1, stderr: "mailstead: The backup was stopped. Nothing is left of it.\n" })
})

test("a web server that answers 200 to everything has got no copy", async () => {
  const does = { begin: true, tag: false }
  using web = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch({ method, url }) {
      if (method === "GET") return new Response("<Error><Code>NoSuchKey</Code></Error>", { status: 404 })
      if (does.begin && url.endsWith("?uploads=")) return new Response("<UploadId>1</UploadId>")
      return new Response("<title>Welcome</title>", { headers: does.tag ? { ETag: '"1"' } : {} })
    },
  })
  const small = join(folder(), "small")
  mkdirSync(small)
  await fillFolder(small, 1)
  const target = `s3://other/b?region=eu-west-1&endpoint=${encodeURIComponent(web.url.origin)}`
  for (const [from, begin, tag] of [
    [small, true, false],
    [data, false, false],
    [data, true, false],
    [data, true, true],
  ] as const) {
    Object.assign(does, { begin, tag })
    expect(await runLine(["backup", target, "--data", from], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("refused it (no answer of S3). Correct its endpoint"),
    })
  }
})

test("an object without a byte exists, too, and is no backup", async () => {
  ;(store.objects as Map<string, Buffer>).set("/other/empty", Buffer.alloc(0))
  expect(await backup("s3://other/empty")).toMatchObject({ code: 1, stderr: expect.stringContaining("empty exists") })
  expect(await restore("s3://other/empty", join(folder(), "new"))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("empty is not a backup"),
  })
})

test("what a killed upload has left goes after a day, and what another is uploading stays", async () => {
  const left = `upload-${crypto.randomUUID()}-c`
  const current = `upload-${crypto.randomUUID()}-c`
  for (const name of [left, current]) writeFileSync(join(data, "backups", name), "half")
  const twoDaysAgo = Date.now() / 1_000 - 2 * 86_400
  utimesSync(join(data, "backups", left), twoDaysAgo, twoDaysAgo)
  expect(await backup("s3://other/c")).toMatchObject({ code: 0, stderr: "" })
  expect(readdirSync(join(data, "backups"))).toEqual([current])
})

test("a URL without a name is wrong usage", async () => {
  expect(await backup("s3://other/folder/")).toMatchObject({ code: 2 })
  expect(await backup("s3://other/%zz")).toMatchObject({ code: 2 })
})
