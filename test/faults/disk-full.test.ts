import { afterEach, beforeEach, expect, test } from "bun:test"
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { type RunningMailstead, requireMounts, startMailstead } from "../harness/mailstead.ts"
import { scratch, until } from "../harness/store.ts"

const folder = scratch()
let at: string
let server: RunningMailstead
/** The data folder as the server sees it: its file system is mounted for that process alone. */
let data: string

beforeEach(async () => {
  at = join(folder(), "mounted")
  mkdirSync(at)
  await requireMounts(at)
  const args = ["sandbox", "--port", "0", "--smtp-port", "0", "--data", at]
  server = await startMailstead(args, { tmpfs: { at, options: "size=12m" } })
  data = join("/proc", String(server.pid), "root", at)
})
afterEach(() => server?.kill())

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any
}

async function call(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${server.url.replace("localhost", "127.0.0.1")}${path}`, {
    method,
    headers: { Authorization: "Bearer sk_sandbox", "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}

const mail = (to: string, attachments: unknown[] = []) =>
  call("POST", "/v1/send", {
    to,
    from: "hi@acme.test",
    subject: "Hello",
    body: `<p>${"x".repeat(20_000)}</p>`,
    attachments,
  })

const file = (kilobytes: number) => {
  const blocks = Array.from({ length: kilobytes / 64 }, () => crypto.getRandomValues(new Uint8Array(65_536)))
  return {
    filename: "a.bin",
    contentType: "application/octet-stream",
    content: Buffer.concat(blocks).toString("base64"),
  }
}

/** Uses up all free space. */
function fill(): void {
  for (const block of [1_048_576, 4_096]) {
    try {
      for (;;) appendFileSync(join(data, "balloon"), new Uint8Array(block))
    } catch (cause) {
      expect((cause as { code?: string }).code).toBe("ENOSPC")
    }
  }
}

test("a full disk loses no acknowledged data, and the server continues once there is space", async () => {
  const accepted: string[] = []
  let refused = 0
  const offer = async (to: string): Promise<number> => {
    const { status, body } = await mail(to)
    if (status === 200) accepted.push(body.data.emails[0].email)
    else {
      expect([status, body.success, body.error.code]).toEqual([503, false, "STORE_UNAVAILABLE"])
      refused++
    }
    return status
  }
  for (let n = 0; n < 5; n++) expect(await offer(`before${n}@example.com`)).toBe(200)
  fill()
  for (let n = 0; refused < 5 && n < 200; n++) await offer(`during${n}@example.com`)
  expect(refused).toBe(5)
  expect((await call("GET", "/health")).status).toBe(503)
  expect((await call("GET", `/emails/${accepted[0]}`)).body).toMatchObject({ subject: "Hello" })

  const withFile = await mail("file@example.com", [file(448)])
  expect([withFile.status, withFile.body.error.code]).toEqual([503, "STORE_UNAVAILABLE"])
  const files = join(data, "files")
  const left = existsSync(files)
    ? readdirSync(files, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : []
  expect(left).toEqual([])

  rmSync(join(data, "balloon"))
  for (let n = 0; n < 5; n++) expect(await offer(`after${n}@example.com`)).toBe(200)
  const again = await mail("file@example.com", [file(448)])
  expect(again.status).toBe(200)
  accepted.push(again.body.data.emails[0].email)

  await until(async () => (await call("GET", "/health")).status === 200)

  const list = await call("GET", "/emails?limit=100")
  expect(list.body.total).toBe(accepted.length)
  for (const id of accepted) expect((await call("GET", `/emails/${id}`)).status).toBe(200)
  await until(async () => (await call("GET", "/emails?status=DELIVERED&limit=100")).body.total === accepted.length)
  expect(await server.stop()).toBe(0)
})
