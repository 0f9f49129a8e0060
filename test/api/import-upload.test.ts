import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { jobTable } from "../../src/jobs/table.ts"
import { yieldToEventLoop } from "../../src/kernel/event-loop.ts"
import type { ApiAnswer } from "../harness/api.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { formWith, importOf, upload } from "../harness/imports.ts"
import { refuseChanges } from "../harness/refused-changes.ts"
import { type Scenario, scenarios } from "../harness/scenarios.ts"

const megabyte = 1_048_576
const file = "email\nada@example.com\n"

/** A file of exactly so many bytes. */
const fileOf = (bytes: number): string => `email\n${"x".repeat(bytes - 6)}`

const uploadsIn = (it: TestApp): string[] => {
  const folder = join(it.folder, "imports")
  return existsSync(folder) ? readdirSync(folder) : []
}

const refused = (name: string, row: Partial<Scenario>): Scenario => ({
  name,
  status: 400,
  code: "BAD_REQUEST",
  afterwards: async (it) => {
    expect(uploadsIn(it)).toEqual([])
    expect((await it.app.store.read.select().from(jobTable)).filter(({ kind }) => kind === "import.run")).toEqual([])
  },
  ...row,
})

function twoFiles(): FormData {
  const form = new FormData()
  form.append("other", new File(["x"], "other.png"))
  form.append("note", "of no interest")
  form.append("file", new File([file], "contacts.csv"))
  return form
}

function manyParts(parts: number): FormData {
  const form = new FormData()
  form.append("file", new File([file], "contacts.csv"))
  for (let part = 1; part < parts; part++) form.append("note", "of no interest")
  return form
}

function textPart(): FormData {
  const form = new FormData()
  form.append("file", file)
  return form
}

const inChunks = (bytes: number) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (let sent = 0; sent < bytes; sent += megabyte) controller.enqueue(new Uint8Array(megabyte))
      controller.close()
    },
  })

const multipart = { "Content-Type": "multipart/form-data; boundary=here" }

scenarios("POST /contacts/import", [
  refused("refuses JSON", { body: { file } }),
  refused("refuses a body without a type", { raw: new Uint8Array([1]) }),
  refused("refuses a form without a boundary", { raw: "x", headers: { "Content-Type": "multipart/form-data" } }),
  refused("refuses a form that is cut off", { raw: "--here\r\nContent-Dispo", headers: multipart }),
  refused("refuses an empty body", { raw: "", headers: multipart }),
  refused("refuses a form without the part", { raw: formWith(file, { part: "csv" }) }),
  refused("refuses a part of another name without quotes", {
    raw: inOnePiece("form-data; name=other; filename=contacts.csv"),
    headers: multipart,
  }),
  refused("refuses a form of more than 100 parts", { raw: manyParts(101) }),
  refused("refuses a part that is no file", { raw: textPart() }),
  refused("refuses a file of another name", { raw: formWith(file, { name: "contacts.xlsx" }) }),
  refused("refuses a name that only holds the ending", { raw: formWith(file, { name: "contacts.csv.zip" }) }),
  refused("refuses a file of one byte more than 5 MB", { raw: formWith(fileOf(5 * megabyte + 1)) }),
  refused("refuses a file far above 5 MB", { raw: formWith(fileOf(20 * megabyte)) }),
  refused("refuses a stream above 5 MB of unknown length", { raw: inChunks(20 * megabyte), headers: multipart }),
  refused("refuses by its length alone what is above 5 MB", {
    raw: "x",
    headers: { ...multipart, "Content-Length": String(6 * megabyte) },
  }),
  refused("refuses more than 50 MB as every body", {
    status: 413,
    code: "PAYLOAD_TOO_LARGE",
    raw: inChunks(51 * megabyte),
    headers: multipart,
  }),
  refused("refuses a public key before it looks at the file", {
    status: 401,
    code: "INVALID_API_KEY",
    key: "pk",
    raw: inChunks(51 * megabyte),
    headers: multipart,
  }),
  {
    name: "takes a file",
    raw: formWith(file),
    status: 202,
    answer: { status: "queued" },
    afterwards: (it, { body }) => {
      expect(Object.keys(body).sort()).toEqual(["jobId", "message", "status"])
      expect(uploadsIn(it)).toEqual([`${body.jobId}.csv`])
    },
  },
  { name: "takes a name in capitals", raw: formWith(file, { name: "CONTACTS.CSV" }), status: 202 },
  { name: "takes a file of exactly 5 MB", raw: formWith(fileOf(5 * megabyte)), status: 202 },
  { name: "takes the file out of a form with other parts", raw: twoFiles(), status: 202 },
  { name: "takes a form of 100 parts", raw: manyParts(100), status: 202 },
  ...[
    "form-data; name=file; filename=contacts.csv",
    "form-data; name=file; filename=contacts.csv; filename*=utf-8''contacts.csv",
    'form-data; name=file; filename="a; name=other.csv"',
    'form-data; filename="a; name=other.csv"; name=file',
    'form-data; filename="a\\"; name=other.csv"; name="file"',
    "form-data;filename=contacts.csv;name=file",
  ].map((disposition) => ({
    name: `takes the part ${disposition}`,
    raw: inOnePiece(disposition),
    headers: multipart,
    status: 202,
    afterwards: async (it: TestApp, { body }: ApiAnswer) => {
      expect(await Bun.file(join(it.folder, "imports", `${body.jobId}.csv`)).text()).toBe(file)
    },
  })),
  { name: "takes a stream of unknown length", raw: inOnePiece(), headers: multipart, status: 202 },
])

test("a stream that is too large is not held in memory while its rest is counted", async () => {
  const it = await startTestApp()
  const chunks: WeakRef<Uint8Array>[] = []
  let held: number | undefined
  const raw = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // The target of a weak reference that was read stays alive until the end of the turn.
        await yieldToEventLoop()
        if (chunks.length === 20) {
          Bun.gc(true)
          held = chunks.slice(0, 5).filter((chunk) => chunk.deref() !== undefined).length
          return controller.close()
        }
        const chunk = new Uint8Array(megabyte)
        chunks.push(new WeakRef(chunk))
        controller.enqueue(chunk)
      },
    },
    { highWaterMark: 0 },
  )
  expect((await it.api("POST /contacts/import", { raw, headers: multipart })).status).toBe(400)
  expect(held).toBeLessThan(5)
  await it.close()
})

function inOnePiece(disposition = 'form-data; name="file"; filename="contacts.csv"'): ReadableStream<Uint8Array> {
  return new Response(`--here\r\nContent-Disposition: ${disposition}\r\n\r\n${file}\r\n--here--\r\n`)
    .body as ReadableStream<Uint8Array>
}

describe("an import", () => {
  test("can be read at once, repeatedly", async () => {
    const it = await startTestApp()
    const jobId = await upload(it, file)
    expect(await importOf(it, jobId)).toEqual({
      jobId,
      status: "queued",
      totalRows: 0,
      imported: 0,
      updated: 0,
      skipped: 0,
      errors: [],
      progress: 0,
      failedReason: null,
      createdAt: "2026-01-31T09:15:00.000Z",
      finishedAt: null,
    })
    await it.clock.advance(2_000)
    await it.settle()
    const ended = await importOf(it, jobId)
    expect(ended).toEqual({
      jobId,
      status: "completed",
      totalRows: 1,
      imported: 1,
      updated: 0,
      skipped: 0,
      errors: [],
      progress: 100,
      failedReason: null,
      createdAt: "2026-01-31T09:15:00.000Z",
      finishedAt: "2026-01-31T09:15:02.000Z",
    })
    expect(await importOf(it, jobId.toUpperCase())).toEqual(ended)
    await it.close()
  })

  test("leaves no file when it has ended", async () => {
    const it = await startTestApp()
    await upload(it, file)
    await upload(it, "no column\n")
    expect(uploadsIn(it)).toHaveLength(2)
    await it.settle()
    expect(uploadsIn(it)).toEqual([])
    await it.close()
  })

  test("that cannot be queued leaves no file either", async () => {
    const it = await startTestApp()
    await refuseChanges(it.app.store, { change: "INSERT", table: "import_job" })
    expect((await it.api("POST /contacts/import", { raw: formWith(file) })).status).toBe(500)
    expect(existsSync(join(it.folder, "imports"))).toBe(true)
    expect(uploadsIn(it)).toEqual([])
    await it.close()
  })

  test("can be read for 30 days, errors included", async () => {
    const it = await startTestApp()
    const jobId = await upload(it, "email\nnobody\n")
    await it.settle()
    await it.advance({ days: 29, hours: 23 })
    expect(await importOf(it, jobId)).toMatchObject({ status: "completed", errors: [{ row: 2 }] })
    await it.advance({ hours: 3 })
    const { status, body } = await it.api(`GET /contacts/import/${jobId}`)
    expect([status, body.error.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    await it.close()
  })

  test("is not found in another project, nor as a job of another kind", async () => {
    const it = await startTestApp()
    const jobId = await upload(it, file)
    const other = await it.app.projects.create("Other")
    const bulk = await it.api("POST /contacts/bulk-delete", { body: { contactIds: [jobId] } })
    for (const [path, key] of [
      [`/contacts/import/${jobId}`, other.secret],
      [`/contacts/import/${bulk.body.jobId}`, "sk"],
      [`/contacts/bulk/${jobId}`, "sk"],
      ["/contacts/import/0199c0de-0000-7000-8000-0000000fffff", "sk"],
      ["/contacts/import/nonsense", "sk"],
    ] as const) {
      const { status, body } = await it.api(`GET ${path}`, { key })
      expect([path, status, body.error.code]).toEqual([path, 404, "RESOURCE_NOT_FOUND"])
    }
    await it.close()
  })
})
