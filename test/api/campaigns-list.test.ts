import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { cancelCampaign, createCampaign, sendCampaign } from "../harness/campaigns.ts"
import { fieldsOf } from "../harness/scenarios.ts"

let it: TestApp
let other: string

const made = [
  { name: "Alpha", subject: "Spring sale", from: "hi@acme.test" },
  { name: "bravo", subject: "Zähler 50%", from: "news@acme.test" },
  { name: "Charlie", subject: "100_percent", from: "sales@acme.test" },
  { name: "delta", subject: "Autumn SALE", from: "news@acme.test" },
  { name: "Echo", subject: "Last call", from: "hi@acme.test" },
]

beforeAll(async () => {
  it = await startTestApp()
  const ids: string[] = []
  for (const fields of made) {
    ids.push((await createCampaign(it, fields)).id)
    await it.advance({ seconds: 1 })
  }
  await sendCampaign(it, ids[1] ?? "", "2026-03-01T10:00:00Z")
  await it.advance({ seconds: 1 })
  await sendCampaign(it, ids[2] ?? "")
  await it.settle()
  await sendCampaign(it, ids[3] ?? "")
  await cancelCampaign(it, ids[3] ?? "")
  const project = await it.app.projects.create("Other")
  await it.app.domains.add(project.id, "other.test", { vouched: true })
  other = project.secret
})
afterAll(() => it.close())

const list = async (query = "", key = "sk") => (await it.api(`GET /campaigns?${query}`, { key })).body
const names = async (query = "") => (await list(query)).data.map((one: { name: string }) => one.name).join(" ")

describe("GET /campaigns", () => {
  test("lists whole records, newest first", async () => {
    const answer = await list()
    expect(await names()).toBe("Echo delta Charlie bravo Alpha")
    expect(answer).toMatchObject({ total: 5, page: 1, pageSize: 20, totalPages: 1 })
    const first = (await it.api(`GET /campaigns/${answer.data[0].id}`)).body.data
    expect(answer.data[0]).toEqual(first)
  })

  test.each([
    ["sort=name", "Echo delta Charlie bravo Alpha"],
    ["sort=name&dir=asc", "Alpha bravo Charlie delta Echo"],
    ["dir=asc", "Alpha bravo Charlie delta Echo"],
    ["sort=createdAt&dir=desc", "Echo delta Charlie bravo Alpha"],
    ["sort=updatedAt", "delta Charlie bravo Echo Alpha"],
    ["sort=updatedAt&dir=asc", "Alpha Echo bravo Charlie delta"],
    ["sort=colour&dir=up", "Echo delta Charlie bravo Alpha"],
    ["status=DRAFT", "Echo Alpha"],
    ["status=SCHEDULED", "bravo"],
    ["status=SENT", "Charlie"],
    ["status=CANCELLED", "delta"],
    ["status=SENDING", ""],
    ["status=", "Echo delta Charlie bravo Alpha"],
    ["search=sale", "delta Charlie Alpha"],
    ["search=NEWS@", "delta bravo"],
    ["search=%20echo%20", "Echo"],
    ["search=Z%C3%84HLER", "bravo"],
    ["search=50%25", "bravo"],
    ["search=0_p", "Charlie"],
    ["search=%25", "bravo"],
    ["search=nothing", ""],
    ["search=sale&status=SENT", "Charlie"],
    ["page=2&pageSize=2", "Charlie bravo"],
    ["page=9", ""],
  ])("with %s it has %p", async (query, expected) => {
    expect(await names(query)).toBe(expected)
  })

  test("has the paging fields", async () => {
    expect(await list("page=2&pageSize=2")).toMatchObject({ total: 5, page: 2, pageSize: 2, totalPages: 3 })
    expect(await list("pageSize=1000&search=nothing")).toMatchObject({ total: 0, pageSize: 100, totalPages: 0 })
  })

  test.each(["sent", "PAUSED", "DRAFT,SENT"])("refuses the status %p", async (status) => {
    const answer = await it.api(`GET /campaigns?status=${status}`)
    expect([answer.status, answer.body.error.code, fieldsOf(answer)]).toEqual([400, "BAD_REQUEST", {}])
  })

  test("excludes other projects", async () => {
    expect(await list("", other)).toMatchObject({ data: [], total: 0 })
  })
})

describe("references of campaigns", () => {
  test("a field is used by unsent campaigns whose condition names it", async () => {
    const condition = (field: string) => ({
      audienceType: "FILTERED",
      audienceCondition: { logic: "AND", groups: [{ filters: [{ field, operator: "exists" }] }] },
    })
    const using = await createCampaign(it, { ...condition("data.colour"), name: "Colours" })
    const { id: sent } = await createCampaign(it, condition("data.colour"))
    await sendCampaign(it, sent)
    await it.settle()
    await createCampaign(it, condition("data.colours"))
    const { body } = await it.api("GET /contacts/fields/data.colour/usage")
    expect(body.usedInCampaigns).toEqual([{ id: using.id, name: "Colours" }])
  })

  test.each([
    ["by its id", (id: string) => ({ audienceType: "SEGMENT", segmentId: id })],
    [
      "in its condition",
      (id: string) => ({
        audienceType: "FILTERED",
        audienceCondition: {
          logic: "OR",
          groups: [{ filters: [{ field: `segment.${id}`, operator: "memberOfSegment" }] }],
        },
      }),
    ],
  ])("a segment cannot be deleted while an unsent campaign uses it %s", async (_, audience) => {
    const body = { name: "Needed", type: "STATIC" }
    const segment = (await it.api("POST /segments", { body })).body.id
    const { id } = await createCampaign(it, audience(segment))
    const remove = async () => (await it.api(`DELETE /segments/${segment}`)).status
    expect(await remove()).toBe(409)
    await sendCampaign(it, id, "2026-03-01T10:00:00Z")
    expect(await remove()).toBe(409)
    await sendCampaign(it, id)
    expect(await remove()).toBe(409)
    await it.settle()
    expect(await remove()).toBe(204)
  })
})
