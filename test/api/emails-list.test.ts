import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { rejected, sent } from "../../src/mail/transport.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { accept, marketing, send, workflowMail } from "../harness/mails.ts"
import { createTemplate } from "../harness/templates.ts"

const mail = { to: "ada@example.com", from: "hi@acme.test", subject: "Hi", body: "<p>Hi</p>" }
const ids: Record<string, string> = {}
const theirs = "0199c0de-0000-7000-9000-0000000000aa"

describe("GET /emails: filters (contract A4.5)", () => {
  let it: TestApp
  beforeAll(async () => {
    it = await startTestApp()
    const { id: template } = await createTemplate(it, { type: "TRANSACTIONAL", subject: "By template" })
    it.transport.answer = ({ to }) => (to.address === "fail@example.com" ? rejected("550 no") : sent(null))
    const answer = await it.api("POST /v1/send", { body: { to: "ada@example.com", template, subscribed: true } })
    await it.api("POST /v1/send", { body: { ...mail, subject: "100% off_today \\o/", to: "bo@example.com" } })
    await it.api("POST /v1/send", { body: { ...mail, subject: "Lost", to: "fail@example.com" } })
    const campaignId = it.ids.next()
    await accept(
      it,
      { ...marketing, source: { kind: "campaign", id: campaignId } },
      "ada@example.com",
      "cy@example.com",
    )
    await accept(it, workflowMail, "cy@example.com")
    await it.settle()
    await it.api("POST /v1/send", { body: { ...mail, subject: "Waiting", to: "x@bücher.example" } })
    Object.assign(ids, { template, campaign: campaignId, ada: answer.body.data.emails[0].contact.id })

    const other = await it.app.projects.create("Other")
    await it.app.domains.add(other.id, "other.test", { vouched: true })
    const body = { ...mail, from: "hi@other.test", subject: "Theirs" }
    const neighbour = await it.api("POST /v1/send", { key: other.secret, body })
    ids[theirs] = neighbour.body.data.emails[0].contact.id
  })
  afterAll(() => it.close())

  /** The recipients of the listed messages, newest first, with the first letters of their subject. */
  async function list(query: string): Promise<string[]> {
    const { status, body } = await it.api(`GET /emails?${query}`)
    expect([query, status, body.total, body.hasMore]).toEqual([query, 200, body.data.length, false])
    return body.data.map(
      ({ to, subject }: { to: string; subject: string }) => `${to.split("@")[0]} ${subject.slice(0, 4)}`,
    )
  }
  const everything = ["x Wait", "cy News", "cy News", "ada News", "fail Lost", "bo 100%", "ada By t"]
  const id = (name: string) => ids[name] ?? ""

  test.each<[string, string[]]>([
    ["", everything],
    ["status=SENT", ["cy News", "cy News", "ada News", "bo 100%", "ada By t"]],
    ["status=FAILED", ["fail Lost"]],
    ["status=PENDING", ["x Wait"]],
    ["status=", everything],
    ["status=PENDING&status=FAILED", ["x Wait"]],
    ...["SENDING", "DELIVERED", "OPENED", "CLICKED", "BOUNCED", "COMPLAINED", "CANCELLED", "RECEIVED"].map(
      (status): [string, string[]] => [`status=${status}`, []],
    ),
    ["sourceType=TRANSACTIONAL", ["x Wait", "fail Lost", "bo 100%", "ada By t"]],
    ["sourceType=CAMPAIGN", ["cy News", "ada News"]],
    ["sourceType=WORKFLOW", ["cy News"]],
    ["sourceType=INBOUND", []],
    ["sourceType=", everything],
    ["to=cy@example.com", ["cy News", "cy News"]],
    ["to=%20CY@Example.COM%20", ["cy News", "cy News"]],
    ["to=cy", []],
    ["to=x@b%C3%BCcher.example", ["x Wait"]],
    ["to=x@xn--bcher-kva.example", ["x Wait"]],
    ["to=", everything],
    ["search=BO@exam", ["bo 100%"]],
    ["search=X@B%C3%BCcher.example", ["x Wait"]],
    ["search=b%C3%BCcher.example", ["x Wait"]],
    ["search=b%C3%BCcher.example&status=SENT", []],
    ["search=m%C3%BCcher.example", []],
    ["search=news", ["cy News", "cy News", "ada News"]],
    ["search=%20LOST%20", ["fail Lost"]],
    ["search=%25", ["bo 100%"]],
    ["search=f_t", ["bo 100%"]],
    ["search=%5Co", ["bo 100%"]],
    ["search=l%25t", []],
    ["search=L_st", []],
    ["search=%20", everything],
    ["search=news%00", []],
    ["search=%00", []],
    ["search=%5Bn%5Dews", []],
    ["search=n?ws", []],
    ["search=n*s", []],
    ["search=acme.test", []],
    ["sourceType=CAMPAIGN&to=ada@example.com", ["ada News"]],
    ["status=SENT&search=by&sourceType=TRANSACTIONAL", ["ada By t"]],
    ["status=FAILED&to=ada@example.com", []],
    ["type=MARKETING&workflowExecutionId=x&subject=Lost", everything],
  ])("%j", async (query, expected) => {
    expect(await list(query)).toEqual(expected)
  })

  test("by the ids of contact, campaign and template, in any case", async () => {
    expect(await list(`contactId=${id("ada")}`)).toEqual(["ada News", "ada By t"])
    expect(await list(`contactId=${id("ada").toUpperCase()}`)).toEqual(["ada News", "ada By t"])
    expect(await list(`campaignId=${id("campaign")}`)).toEqual(["cy News", "ada News"])
    expect(await list(`templateId=${id("template").toUpperCase()}`)).toEqual(["ada By t"])
    expect(await list(`contactId=${id("ada")}&campaignId=${id("campaign")}`)).toEqual(["ada News"])
    expect(await list(`contactId=${id("ada")}&templateId=&status=SENT`)).toEqual(["ada News", "ada By t"])
  })

  test("by an id that is unknown, invalid, or of another project give an empty list", async () => {
    for (const name of ["contactId", "campaignId", "templateId"])
      for (const unknown of [theirs, id(theirs), "x", "%20", "null", id("ada").slice(1)])
        expect(await list(`${name}=${unknown}`)).toEqual([])
  })

  test.each([
    "status=sent",
    "status=Sent",
    "status=QUEUED",
    "status=%20SENT",
    "status=SENT,FAILED",
    "status=x&status=SENT",
    "sourceType=transactional",
    "sourceType=API",
    "sourceType=TRANSACTIONAL%20",
    "status=x&contactId=x",
  ])("%j are refused", async (query) => {
    const answer = await it.api(`GET /emails?${query}`)
    expect([answer.status, answer.body.error.code]).toEqual([400, "BAD_REQUEST"])
  })

  test("apply to every page of a walk", async () => {
    const seen: string[] = []
    for (let query = "status=SENT&sourceType=CAMPAIGN&limit=1", cursor = ""; ; ) {
      const { body } = await it.api(`GET /emails?${query}${cursor}`)
      seen.push(...body.data.map(({ to }: { to: string }) => to))
      if (!body.hasMore) break
      cursor = `&cursor=${body.cursor}`
    }
    expect(seen).toEqual(["cy@example.com", "ada@example.com"])
  })

  test("use the current state of a message", async () => {
    const [waiting] = await send(it, "late@example.com")
    expect(await list("to=late@example.com&status=PENDING")).toEqual(["late To l"])
    await it.settle()
    expect(await list("to=late@example.com&status=PENDING")).toEqual([])
    const { body } = await it.api("GET /emails?to=late@example.com&status=SENT")
    expect(body.data).toMatchObject([{ id: waiting }])
  })
})

describe("GET /emails: a search (contract A1.4.6)", () => {
  let it: TestApp
  beforeAll(async () => {
    it = await startTestApp()
  })
  afterAll(() => it.close())

  const found = async (search: string): Promise<string[]> => {
    const { status, body } = await it.api(`GET /emails?search=${encodeURIComponent(search)}`)
    expect([search, status, body.total]).toEqual([search, 200, body.data.length])
    return body.data.map(({ subject }: { subject: string }) => subject)
  }

  test.each([
    ["ÄRGER im Büro", ["ärger", "BÜRO", "Ärger Im bÜ"], ["arger", "buro"]],
    ["ПРИВЕТ, Ёлка", ["привет", "ёлка", "Привет, ё"], ["елка"]],
    ["Ο Δίας και ΟΔΟΣ", ["οδος", "οδοσ", "ΔΊΑΣ", "Δίας"], ["οδοι"]],
    ["Straße nach GROSSGMAIN", ["STRASSE", "straße", "STRAẞE", "Großgmain", "stra"], ["straze", "strase"]],
    ["ǆamija Ǆ", ["ǅAMIJA ǆ"], ["dzamija"]],
    ["𐐀𐐁 👩‍🚀 Start", ["𐐨𐐩 👩‍🚀 START"], ["👩 start"]],
    [
      "a*b?c[d]e^f-g\\h",
      ["A*B?C[D]E^F-G\\H", "[D]", "[", "]", "*", "?", "\\h"],
      ["a*c", "[cd]", "[^x]", "[a-z]", "?c?"],
    ],
  ])("finds %j in any case, and literally", async (subject, finds, misses) => {
    await it.api("POST /v1/send", { body: { ...mail, subject } })
    for (const text of finds) expect([text, await found(text)]).toEqual([text, [subject]])
    for (const text of misses) expect([text, await found(text)]).toEqual([text, []])
  })

  test.each([1, 998, 1_001, 60_000, 1_000_000])(
    "for %d characters that occur nowhere finds nothing",
    async (length) => {
      expect(await found("ξ".repeat(length))).toEqual([])
    },
  )

  test("for a whole long subject finds it", async () => {
    const subject = "Θ".repeat(997)
    await it.api("POST /v1/send", { body: { ...mail, subject } })
    expect(await found("θ".repeat(997))).toEqual([subject])
  })
})
