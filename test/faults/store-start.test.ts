import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { type RunOptions, requireMounts, runMailstead, runOnReadOnlyDisk, startServer } from "../harness/mailstead.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
const serve = (data: string, options?: RunOptions) => runMailstead(["serve", "--port", "0", "--data", data], options)

/** The single line for the operator. */
const complaint = (text: string) => ({
  code: 1,
  stdout: "",
  stderr: expect.stringMatching(new RegExp(`^mailstead: .*${text}.*\n$`)),
})

test("a second server on a data folder names the holder, and starts once that was killed", async () => {
  const data = folder()
  const first = await startServer(data)
  expect(await serve(data)).toEqual(complaint(`${data} is in use by process ${first.pid}\\. Stop it, or name another`))
  const { port } = new URL(first.url)
  expect(await runMailstead(["serve", "--port", port, "--data", folder()])).toEqual(complaint(`:${port}.*in use`))
  expect((await fetch(`${first.url}/health`)).status).toBe(200)
  await first.kill()
  const second = await startServer(data)
  expect((await fetch(`${second.url}/health`)).status).toBe(200)
  expect(await second.stop()).toBe(0)
})

test("a port in use is named, for HTTP and for SMTP, and nothing is left behind", async () => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve))
  const address = taken.address()
  const port = typeof address === "object" ? (address?.port ?? 0) : 0
  const [http, smtp] = [folder(), folder()]
  const [byHttp, bySmtp] = await Promise.all([
    runMailstead(["serve", "--port", String(port), "--data", http]),
    runMailstead(["sandbox", "--port", "0", "--smtp-port", String(port), "--data", smtp]),
  ])
  expect(byHttp).toEqual(complaint(`127\\.0\\.0\\.1:${port}.*in use.*another port in http\\.port \\(--port\\)\\.`))
  expect(bySmtp).toEqual(
    complaint(`127\\.0\\.0\\.1:${port}.*in use.*another port in smtp\\.submission_port .*--smtp-port`),
  )
  taken.close()
  expect(statSync(join(http, "mailstead.db-wal"), { throwIfNoEntry: false })?.size ?? 0).toBe(0)
})

test.each(["nohost.invalid", "203.0.113.9"])(
  "the address %s, which is not of this machine, is named with advice",
  async (host) => {
    const { code, stderr } = await runMailstead(["serve", "--host", host, "--port", "0", "--data", folder()])
    expect(code).toBe(1)
    expect(stderr).toContain(
      `mailstead: Cannot listen on ${host}:0: this machine has no such address. Name one of its own in http.host (--host)`,
    )
  },
)

test("wrong settings end with exit code 2 and are all named at once, and nothing is touched", async () => {
  const data = join(folder(), "data")
  const env = { MAILSTEAD_HTTP_PORT: "http", MAILSTEAD_MAIL_URL: "gopher://x", MAILSTEAD_LIMITS_ATTACHMENTS: "-1" }
  const { code, stderr } = await runMailstead(["serve", "--data", data], { env })
  expect(code).toBe(2)
  for (const name of ["http.port", "mail.url", "limits.attachments"]) expect(stderr).toContain(name)
  expect(() => statSync(data)).toThrow("ENOENT")
})

test.each([
  [{ MAILSTEAD_MAIL_URL: "smtp://mail.test?foo=1" }, 'mail.url: smtp://mail.test: there is no option "foo"'],
  [{ MAILSTEAD_MAIL_URL: "plugin:/nope.ts" }, "mail.url: plugin:/nope.ts: there is no such file"],
  [
    { MAILSTEAD_HTTP_DOMAINS: "a.example", MAILSTEAD_HTTP_ACME_CA: "/nope.pem" },
    "http.acme_ca: /nope.pem cannot be read: no such file or directory",
  ],
])("so do settings whose fault shows only when they are used: %o (contract A8.1)", async (env, fault) => {
  const { code, stderr } = await runMailstead(["serve", "--port", "0", "--data", folder()], { env })
  expect(code).toBe(2)
  expect(stderr).toContain(`mailstead: The configuration has one fault:\n  ${fault}`)
})

test("a file that is not a database is refused with advice", async () => {
  const data = folder()
  writeFileSync(join(data, "mailstead.db"), "This was a text once. ".repeat(1_000))
  expect(await serve(data)).toEqual(complaint(`${data}/mailstead\\.db: file is not a database.*restore a backup`))
})

test("a damaged database is refused with advice, and is not changed", async () => {
  const data = folder()
  await (await startServer(data)).stop()
  const path = join(data, "mailstead.db")
  const file = openSync(path, "r+")
  writeSync(file, new Uint8Array(4_096 - 100).fill(0xee), 0, 4_096 - 100, 100)
  closeSync(file)
  const before = readFileSync(path)
  expect(await serve(data)).toEqual(complaint(`${data}/mailstead\\.db: .*(damaged|malformed).*`))
  expect(readFileSync(path).equals(before)).toBe(true)
})

test("a database of which a start cannot read a page is refused with advice", async () => {
  const data = folder()
  await (await startServer(data)).stop()
  const path = join(data, "mailstead.db")
  const client = new Database(path, { readonly: true })
  const root = client
    .query<{ page: number }, []>("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'cursor'")
    .get()
  client.close()
  const file = openSync(path, "r+")
  writeSync(file, new Uint8Array(4_096).fill(0xee), 0, 4_096, ((root?.page ?? 0) - 1) * 4_096)
  closeSync(file)
  const { code, stderr } = await serve(data)
  expect([code, stderr.split("\n").at(-2)]).toEqual([
    1,
    "mailstead: The database is damaged, and nothing was changed: restore a backup.",
  ])
})

test("the database of another program is not changed", async () => {
  const data = folder()
  const client = new Database(join(data, "mailstead.db"))
  client.run("CREATE TABLE theirs (x TEXT)")
  client.close()
  expect(await serve(data)).toEqual(complaint("is a database of another program"))
})

test("a secret file with something else in it is refused", async () => {
  const data = folder()
  writeFileSync(join(data, "secret"), "correct horse battery staple")
  expect(await serve(data)).toEqual(complaint(`${data}/secret does not hold 64 hexadecimal digits`))
})

test("a data folder that cannot be created is named", async () => {
  const file = join(folder(), "file")
  writeFileSync(file, "")
  expect(await serve(join(file, "data"))).toEqual(complaint(`${file}/data: not a directory. .*name another`))
  expect(await serve(file)).toEqual(complaint(`${file}: file already exists. .*name another`))
})

test("a data folder that cannot be written to is named, and so is one on a full disk", async () => {
  const at = join(folder(), "mounted")
  mkdirSync(at)
  await requireMounts(at)
  const [readOnly, full, noFiles] = await Promise.all([
    serve(at, { tmpfs: { at, options: "ro" } }),
    serve(at, { tmpfs: { at, options: "size=8k" } }),
    serve(at, { tmpfs: { at, options: "nr_inodes=1" } }),
  ])
  expect(readOnly).toEqual(complaint(`${at}/mailstead\\.lock: .*check that the folder`))
  expect(full).toEqual(complaint(`${at}/(mode|mailstead\\.db): .*free some space`))
  expect(noFiles).toEqual(complaint(`${at}/mailstead\\.lock: .*room for another file \\(df -i\\)`))
})

test("a database that can only be read is named before anything is written", async () => {
  const data = folder()
  await (await startServer(data)).stop()
  await requireMounts(data)
  const database = join(data, "mailstead.db")
  for (const command of ["serve --port 0", "project create Shop"]) {
    const ran = await runOnReadOnlyDisk(database, [...command.split(" "), "--data", data])
    expect(ran).toEqual(complaint(`${database}: read-only file system\\. .*mount it`))
  }
})

test("a folder on a disk that can only be read is not backed up, but a copy of it is", async () => {
  const data = folder()
  await (await startServer(data)).kill()
  await requireMounts(data)
  const file = join(folder(), "backup.tar.zst")
  const ran = await runOnReadOnlyDisk(data, ["backup", file, "--data", data])
  expect(ran).toEqual(
    complaint(`${data}/mailstead\\.db: .*whether its disk can only be read\\. Then copy the whole folder`),
  )
  expect(existsSync(file)).toBe(false)
  const copy = join(folder(), "copy")
  cpSync(data, copy, { recursive: true })
  expect(await runMailstead(["backup", file, "--data", copy])).toMatchObject({ code: 0 })
})

test.each(["mailstead.pid", "mailstead.url"])("the file %s is named that cannot be written", async (name) => {
  const data = folder()
  mkdirSync(join(data, name))
  const { code, stderr } = await serve(data)
  expect([code, stderr]).toEqual([1, expect.stringContaining(`mailstead: ${data}/${name}: illegal operation on a dir`)])
  expect(stderr).toEndWith("A folder is where a file should be: name a file.\n")
})

test("a server that cannot remove its note, as on a disk that can only be read by now, stops gracefully", async () => {
  const data = folder()
  const server = await startServer(data)
  // This fails for root, too.
  rmSync(join(data, "mailstead.url"))
  mkdirSync(join(data, "mailstead.url"))
  expect(await server.stop()).toBe(0)
  expect(statSync(join(data, "mailstead.db-wal"), { throwIfNoEntry: false })?.size ?? 0).toBe(0)
})
