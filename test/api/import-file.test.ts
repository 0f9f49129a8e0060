import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { contactTable } from "../../src/modules/contacts/index.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { addContact, importFile, type SeenContact } from "../harness/imports.ts"
import { countEffects, gained } from "../harness/scenarios.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

const seenOf = async (email: string): Promise<SeenContact | undefined> =>
  (await it.app.store.read.select().from(contactTable))
    .filter((contact) => contact.projectId === it.project.id && contact.email === email)
    .map(({ email, subscribed, data }) => ({ email, subscribed, data }))[0]

/** Imports a file; resolves to the job and its effects, which must be contacts only. */
async function outcomeOf(content: BlobPart) {
  const before = await countEffects(it)
  const job = await importFile(it, content)
  const { contacts, events, mails } = gained(before, await countEffects(it))
  expect([events, mails]).toEqual([{}, 0])
  return { job, contacts }
}

let serial = 0
/** An address that no other test uses. */
const fresh = (): string => `reader${++serial}@example.com`

describe("a completed import", () => {
  test("is the worked example of the contract, field by field", async () => {
    const app = await startTestApp()
    await addContact(app, "bo@example.com", { plan: "team" }, false)
    const before = await countEffects(app)
    const job = await importFile(
      app,
      `email,firstName,plan,zip,vip,score,signup,id,subscribed
Ada@Example.com,Ada,pro,00123,Yes,41.50,2026-01-31,7,false
bo@example.com,Bo,,+47,no,1e3,soon,8,true
not-an-email,X,,,,,,,
ada@example.com,,free,,,,,,
`,
    )
    expect(job).toMatchObject({
      status: "completed",
      progress: 100,
      totalRows: 4,
      imported: 1,
      updated: 2,
      skipped: 1,
      errors: [{ row: 4, email: "not-an-email", reason: "invalid_email" }],
    })
    expect(gained(before, await countEffects(app))).toEqual({ events: {}, mails: 0, contacts: 1 })
    const contacts = await app.app.store.read.select().from(contactTable).orderBy(contactTable.email)
    expect(contacts.map(({ email, subscribed, data }) => ({ email, subscribed, data }))).toEqual([
      {
        email: "ada@example.com",
        subscribed: true,
        data: { firstName: "Ada", plan: "free", zip: "00123", vip: true, score: 41.5, signup: "2026-01-31" },
      },
      {
        email: "bo@example.com",
        subscribed: false,
        data: { plan: "team", firstName: "Bo", zip: "+47", vip: false, score: "1e3", signup: "soon" },
      },
    ])
    await app.close()
  })

  test.each([
    ["CRLF", (email: string) => `email,plan\r\n${email},pro\r\n`],
    ["a byte order mark", (email: string) => `\ufeffemail,plan\n${email},pro\n`],
    ["an email column in capitals, last", (email: string) => `plan,EMAIL\npro,${email}\n`],
    ["blank lines all over", (email: string) => `\n\nemail,plan\n\r\n${email},pro\n \n\n`],
    ["no line break at its end", (email: string) => `email,plan\n${email},pro`],
    ["white space around everything", (email: string) => ` email , plan \n ${email.toUpperCase()} ,\tpro \n`],
    ["quotes around everything", (email: string) => `"email","plan"\n"${email}","pro"\n`],
    ["dropped columns", (email: string) => `id,email,plan,subscribed,createdAt,updatedAt\n7,${email},pro,no,x,y\n`],
    ["10,000 columns", (email: string) => `email,plan${",".repeat(9_998)}\n${email},pro\n`],
    ["surplus cells and a nameless column", (email: string) => `email,plan,\n${email},pro,x,y,z\n`],
  ])("reads a file with %s", async (_, file) => {
    const email = fresh()
    const { job, contacts } = await outcomeOf(file(email))
    expect(job).toMatchObject({ status: "completed", totalRows: 1, imported: 1, updated: 0, skipped: 0, errors: [] })
    expect(contacts).toBe(1)
    expect(await seenOf(email)).toEqual({ email, subscribed: true, data: { plan: "pro" } })
  })

  test("keeps line breaks, commas and quotes inside quotes", async () => {
    const email = fresh()
    const { job } = await outcomeOf(`email,note\r\n${email},"one,\r\ntwo ""three""\nfour"\r\n`)
    expect(job).toMatchObject({ totalRows: 1, imported: 1 })
    expect((await seenOf(email))?.data).toEqual({ note: 'one,\r\ntwo "three"\nfour' })
  })

  test("accepts a file without rows", async () => {
    const { job, contacts } = await outcomeOf("email,plan\n\n")
    expect(job).toMatchObject({ status: "completed", progress: 100, totalRows: 0, imported: 0, failedReason: null })
    expect(contacts).toBe(0)
  })

  test("accepts rows with only an address", async () => {
    const [one, two] = [fresh(), fresh()]
    const { job } = await outcomeOf(`email,plan\n${one}\n${two},\n`)
    expect(job).toMatchObject({ imported: 2 })
    expect((await seenOf(two))?.data).toEqual({})
  })

  test("merges rows of one address in order, ignoring its case", async () => {
    const email = fresh()
    const rows = [`${email},a,1,`, `${email.toUpperCase()},b,,x`, `${email},,2,`, `${email},c,,`]
    const { job, contacts } = await outcomeOf(`email,p,q,r\n${rows.join("\n")}\n`)
    expect(job).toMatchObject({ totalRows: 4, imported: 1, updated: 3, skipped: 0 })
    expect(contacts).toBe(1)
    expect((await seenOf(email))?.data).toEqual({ p: "c", q: 2, r: "x" })
  })

  test("does not change the state of a known contact, whatever the file contains", async () => {
    const email = fresh()
    await addContact(it, email, { plan: "free", city: "Oslo" }, false)
    const { job } = await outcomeOf(`email,plan,city,subscribed\n${email},pro,,true\n`)
    expect(job).toMatchObject({ imported: 0, updated: 1 })
    expect(await seenOf(email)).toEqual({ email, subscribed: false, data: { plan: "pro", city: "Oslo" } })
  })

  test("replaces a nested value completely and never deletes", async () => {
    const email = fresh()
    await addContact(it, email, { profile: { tier: "gold" }, plan: "pro" })
    await outcomeOf(`email,profile,plan\n${email},none,null\n`)
    expect((await seenOf(email))?.data).toEqual({ profile: "none", plan: "null" })
  })

  test("counts a known contact as updated when nothing changes, and does not touch it", async () => {
    const email = fresh()
    const id = await addContact(it, email, { plan: "pro" })
    const { updatedAt } = (await it.api(`GET /contacts/${id}`)).body
    await it.advance({ minutes: 5 })
    const { job } = await outcomeOf(`email,plan\n${email},pro\n`)
    expect(job).toMatchObject({ updated: 1 })
    expect((await it.api(`GET /contacts/${id}`)).body.updatedAt).toBe(updatedAt)
    await outcomeOf(`email,plan\n${email},free\n`)
    expect((await it.api(`GET /contacts/${id}`)).body.updatedAt).toBe("2026-01-31T09:20:00.000Z")
  })

  test("updates when the same file is imported again", async () => {
    const emails = [fresh(), fresh(), fresh()]
    const file = `email,plan\n${emails.map((email) => `${email},pro`).join("\n")}\nnobody,x\n`
    expect((await outcomeOf(file)).job).toMatchObject({ imported: 3, updated: 0, skipped: 1 })
    const again = await outcomeOf(file)
    expect(again.job).toMatchObject({ imported: 0, updated: 3, skipped: 1 })
    expect(again.contacts).toBe(0)
  })

  test("rejects rows without an address and lists them as read", async () => {
    const email = fresh()
    const rows = [
      " Not@An Email ",
      "",
      email,
      "a@b",
      "<x@example.com>",
      `"x@example.com,y@example.com"`,
      "x@@example.com",
    ]
    const { job } = await outcomeOf(`email,plan\n\n${rows.map((cell) => `${cell},pro`).join("\n\n")}\n`)
    expect(job).toMatchObject({ status: "completed", totalRows: 7, imported: 1, updated: 0, skipped: 6 })
    expect(job.errors).toEqual([
      { row: 2, email: "Not@An Email", reason: "invalid_email" },
      { row: 3, email: "", reason: "invalid_email" },
      { row: 5, email: "a@b", reason: "invalid_email" },
      { row: 6, email: "<x@example.com>", reason: "invalid_email" },
      { row: 7, email: "x@example.com,y@example.com", reason: "invalid_email" },
      { row: 8, email: "x@@example.com", reason: "invalid_email" },
    ])
  })

  test("lists the first thousand faults and counts all", async () => {
    const rows = Array.from({ length: 5_500 }, (_, n) => `nobody${n}`)
    const email = fresh()
    const { job } = await outcomeOf(`email\n${rows.join("\n")}\n${email}\n`)
    expect(job).toMatchObject({ totalRows: 5_501, imported: 1, skipped: 5_500 })
    expect(job.errors).toHaveLength(1_000)
    expect(job.errors.at(0)).toEqual({ row: 2, email: "nobody0", reason: "invalid_email" })
    expect(job.errors.at(-1)).toEqual({ row: 1_001, email: "nobody999", reason: "invalid_email" })
  })

  test("rejects a row that would make its contact too large, and continues", async () => {
    const [known, created, last] = [fresh(), fresh(), fresh()]
    await addContact(it, known, { a: "x".repeat(200_000) })
    const big = "y".repeat(100_000)
    const { job } = await outcomeOf(`email,b,c,d\n${known},${big},,\n${created},${big},${big},${big}\n${last},1,,\n`)
    expect(job).toMatchObject({ status: "completed", imported: 1, updated: 0, skipped: 2 })
    expect(job.errors).toEqual([
      { row: 2, email: known, reason: "data_too_big" },
      { row: 3, email: created, reason: "data_too_big" },
    ])
    expect(Object.keys((await seenOf(known))?.data ?? {})).toEqual(["a"])
    expect([await seenOf(created), (await seenOf(last))?.data]).toEqual([undefined, { b: 1 }])
  })

  test("does not match a contact of another project", async () => {
    const other = await it.app.projects.create("Other")
    const email = fresh()
    const body = { email, event: "e", data: { plan: "theirs" } }
    await it.api("POST /v1/track", { key: other.publicKey, body })
    const { job } = await outcomeOf(`email,city\n${email},Oslo\n`)
    expect(job).toMatchObject({ imported: 1, updated: 0 })
    expect((await seenOf(email))?.data).toEqual({ city: "Oslo" })
  })
})

describe("a failed import", () => {
  const latin1 = new Uint8Array([...new TextEncoder().encode("email,city\nada@example.com,K"), 0xf8, 0x0a])

  test.each<[name: string, file: BlobPart, reason: RegExp]>([
    ["empty", "", /empty/],
    ["nothing but a byte order mark and blank lines", "\ufeff\r\n \r\n", /empty/],
    ["not UTF-8", latin1, /UTF-8/],
    ["UTF-16", new Uint8Array([0xff, 0xfe, 0x65, 0, 0x6d, 0]), /UTF-8/],
    ["without an email column", "mail,plan\nada@example.com,pro\n", /email column/],
    ["separated by semicolons", "email;plan\nada@example.com;pro\n", /email column/],
    ["broken by an open quote", 'email,plan\nada@example.com,pro\nbo@example.com,"open\n', /row 3/],
    ["broken by text behind a quote", 'email,plan\nada@example.com,"pro" x\n', /Row 2/],
    ["long and of lines that end with CR alone", `email,plan\r${"ada@example.com,pro\r".repeat(10_000)}`, /CR alone/],
    ["of 10,001 columns", `email${",c".repeat(10_000)}\nada@example.com\n`, /10000 columns/],
    ["burdened with a name beyond 255 characters", `email,${"x".repeat(256)}\nada@example.com,1\n`, /column 2/],
  ])("reports a file that is %s, and changes no contact", async (_, file, reason) => {
    const { job, contacts } = await outcomeOf(file)
    expect(job).toMatchObject({ status: "failed", imported: 0, updated: 0, skipped: 0, totalRows: 0, errors: [] })
    expect(job.failedReason).toMatch(reason)
    expect(job.finishedAt).not.toBeNull()
    expect(job.progress).toBeLessThan(100)
    expect(contacts).toBe(0)
  })

  test("finds a fault at the end of a file before it imports its beginning", async () => {
    const rows = Array.from({ length: 3_000 }, (_, n) => `early${n}@example.com,pro`)
    const { job, contacts } = await outcomeOf(`email,plan\n${rows.join("\n")}\nlate@example.com,"open`)
    expect([job.status, contacts]).toEqual(["failed", 0])
  })

  test("reports that its file is missing", async () => {
    const app = await startTestApp()
    const { upload, importOf } = await import("../harness/imports.ts")
    const jobId = await upload(app, "email\nada@example.com\n")
    await Bun.file(`${app.folder}/imports/${jobId}.csv`).delete()
    await app.settle()
    expect(await importOf(app, jobId)).toMatchObject({
      status: "failed",
      failedReason: expect.stringContaining("Upload"),
    })
    await app.close()
  })
})

describe("the fields of a project", () => {
  test("get the type of their first value, and count every contact once", async () => {
    const app = await startTestApp()
    await addContact(app, "ada@example.com", { age: "unknown", city: "Oslo" })
    await importFile(
      app,
      "email,age,joined,vip,city,id\nada@example.com,41,2026-01-31,yes,Bergen,1\nada@example.com,42,,no,,2\nbo@example.com,7,soon,,,3\n",
    )
    const { fieldTable } = await import("../../src/modules/contacts/table.ts")
    const fields = await app.app.store.read.select().from(fieldTable).orderBy(fieldTable.key)
    expect(fields.map(({ key, type, contactCount }) => [key, type, contactCount])).toEqual([
      ["age", "string", 2],
      ["city", "string", 1],
      ["joined", "date", 2],
      ["vip", "boolean", 1],
    ])
    await app.close()
  })
})
