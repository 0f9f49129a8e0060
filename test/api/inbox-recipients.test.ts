import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { receiveInSandbox } from "../harness/sandbox-intake.ts"

let it: TestApp
beforeEach(async () => {
  it = await startTestApp({ mode: "sandbox", settings: { "sandbox.keep_messages": "2" } })
})
afterEach(() => it.close())

const message = [
  "From: ann@crew.test",
  "Subject: Three",
  "MIME-Version: 1.0",
  'Content-Type: multipart/mixed; boundary="x"',
  "",
  "--x",
  "",
  "All of you",
  "--x",
  "Content-Type: text/plain",
  'Content-Disposition: attachment; filename="a.txt"',
  "",
  "A",
  "--x--",
  "",
].join("\r\n")

/** Resolves to the records, in the order of their recipients. */
async function receive(): Promise<{ id: string; contactId: string }[]> {
  await receiveInSandbox(it, message, { recipients: ["a@one.test", "b@one.test", "c@one.test"] })
  return (await it.api("GET /emails")).body.data.toReversed()
}

const list = async (search = "") => (await it.api(`GET /inbox?search=${encodeURIComponent(search)}`)).body.data
const rows = async () =>
  (await list()).map((row: Record<string, string> & { recipients: object[] }) => {
    const { to, unread, snippet, attachmentCount, recipients } = row
    return { to, unread, snippet, attachmentCount, recipients: recipients.length }
  })
const row = { unread: true, snippet: "All of you", attachmentCount: 1 }

describe("A message whose first record is deleted stays one row with its text (contract A4.6.1)", () => {
  test("by its contact, and by contacts in bulk", async () => {
    const [first, second] = await receive()
    await it.settle()
    expect(await rows()).toEqual([{ ...row, to: "a@one.test", recipients: 3 }])
    await it.api(`DELETE /contacts/${first?.contactId}`)
    await it.settle()
    expect(await rows()).toEqual([{ ...row, to: "b@one.test", recipients: 2 }])
    for (const search of ["has:attachment", '"all of you"', "to:c@one.test"]) expect(await list(search)).toHaveLength(1)
    await it.api("POST /contacts/bulk-delete", { body: { contactIds: [second?.contactId] } })
    await it.settle()
    expect(await rows()).toEqual([{ ...row, to: "c@one.test", recipients: 0 }])
  })

  test("by its id", async () => {
    const [first, , third] = await receive()
    await it.settle()
    await it.api(`DELETE /emails/${first?.id}`)
    await it.settle()
    expect(await rows()).toEqual([{ ...row, to: "b@one.test", recipients: 2 }])
    expect((await it.api(`GET /inbox/${third?.id}`)).body).toMatchObject({ snippet: "All of you", attachmentCount: 1 })
  })

  test("as the oldest beyond the number that is kept (contract A8.3.7)", async () => {
    await receive()
    await it.settle()
    await it.advance({ minutes: 20 })
    expect(await rows()).toEqual([{ ...row, to: "b@one.test", recipients: 2 }])
  })

  test("before its text was read", async () => {
    const [first] = await receive()
    await it.api(`DELETE /contacts/${first?.contactId}`)
    await it.settle()
    expect(await rows()).toEqual([{ ...row, to: "b@one.test", recipients: 2 }])
  })
})

describe("A message whose first record is deleted stays read or unread (contract A4.6.5)", () => {
  test.each<[how: string, route: string, set: { upTo?: true; before?: true }, unread: boolean]>([
    ["by its mark", "marks", {}, false],
    ["by its place", "read", { upTo: true }, false],
    ["by a mark against its place", "marks", { before: true }, true],
  ])("%s", async (_, route, { upTo, before }, unread) => {
    const [first] = await receive()
    if (before) await it.api("POST /inbox/read", { body: {} })
    const body = upTo ? { upTo: first?.id } : { id: first?.id, read: !unread }
    await it.api(`POST /inbox/${route}`, { body })
    await it.api(`DELETE /contacts/${first?.contactId}`)
    await it.settle()
    expect(await rows()).toEqual([{ ...row, unread, to: "b@one.test", recipients: 2 }])
    expect((await it.api("GET /inbox/unread")).body).toEqual({ unread: unread ? 1 : 0 })
  })
})
