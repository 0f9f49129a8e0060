import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { afterNextRead } from "../harness/after-read.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { campaignOf, cancelCampaign, createCampaign, createSegment, news, onPlan } from "../harness/campaigns.ts"
import { all, inSegment } from "../harness/segments.ts"
import { createWorkflow, steps } from "../harness/workflows.ts"

let it: TestApp
beforeAll(async () => {
  it = await startTestApp({ settings: { "limits.requests_per_minute": "0" } })
})
afterAll(() => it.close())

const audiences = {
  "that is for it": (segmentId: string) => ({ audienceType: "SEGMENT", segmentId }),
  "whose condition names it": (segmentId: string) => ({
    audienceType: "FILTERED",
    audienceCondition: all(inSegment(segmentId)),
  }),
}

describe.each(Object.entries(audiences))("a segment that is deleted while a campaign %s", (_, audience) => {
  test.each(["POST", "PUT"])(
    "is stored by %s either stays or makes that fail, and is never missing in the campaign",
    async (method) => {
      for (let round = 0; round < 10; round++) {
        const segment = await createSegment(it, { condition: onPlan("pro") })
        const route = method === "POST" ? "POST /campaigns" : `PUT /campaigns/${(await createCampaign(it)).id}`
        const [removal, store] = await Promise.all([
          it.api(`DELETE /segments/${segment}`),
          it.api(route, { body: { ...news, ...audience(segment) } }),
        ])
        if (store.status < 300) expect(removal.status).toBe(409)
        else expect([removal.status, [400, 404].includes(store.status)]).toEqual([204, true])
      }
    },
  )
})

test("a campaign that gets another audience while it is sent has the number of that", async () => {
  for (const email of ["ada@example.com", "bob@example.com"]) await it.api("POST /contacts", { body: { email } })
  const all = (await it.api("GET /contacts")).body.total
  const { id } = await createCampaign(it, { audienceType: "FILTERED", audienceCondition: onPlan("none") })
  await it.clock.advance(1)
  afterNextRead(it, () => it.api(`PUT /campaigns/${id}`, { body: { ...news, audienceType: "ALL" } }))
  const { body } = await it.api(`POST /campaigns/${id}/send`)
  expect(body.data).toMatchObject({ status: "SENDING", audienceType: "ALL", totalRecipients: all })
})

let domains = 0
const scheduled = { scheduledFor: "2030-01-01" }

/** Each prepares the first use of a domain that keeps it, and resolves with the request that makes it. */
const firstUses = {
  "a campaign is scheduled": async (from: string) => {
    const { id } = await createCampaign(it, { from })
    return () => it.api(`POST /campaigns/${id}/send`, { body: scheduled })
  },
  "a campaign is sent": async (from: string) => {
    const { id } = await createCampaign(it, { from })
    return () => it.api(`POST /campaigns/${id}/send`)
  },
  "a scheduled campaign gets another sender": async (from: string) => {
    const { id } = await createCampaign(it)
    await it.api(`POST /campaigns/${id}/send`, { body: scheduled })
    return () => it.api(`PUT /campaigns/${id}`, { body: { ...news, from } })
  },
  "the template of an enabled workflow gets another sender": async (from: string) => {
    await createWorkflow(it, from, steps.mail(from))
    const { body } = await it.api(`GET /templates?search=${from}`)
    return () => it.api(`PATCH /templates/${body.data[0].id}`, { body: { from } })
  },
}

test.each(Object.entries(firstUses))(
  "A domain that is deleted while %s either stays or makes that fail (contract B6.6)",
  async (_, prepare) => {
    for (let round = 0; round < 10; round++) {
      const domain = `race${domains++}.test`
      const { id } = await it.app.domains.add(it.project.id, domain, { vouched: true })
      const use = await prepare(`hi@${domain}`)
      const [removal, used] = await Promise.all([it.api(`DELETE /domains/${id}`), use()])
      expect([
        [409, 200],
        [204, 403],
      ]).toContainEqual([removal.status, used.status])
    }
  },
)

test.each([
  ["scheduled", { body: scheduled }],
  ["sent", {}],
])(
  "A campaign that is %s while its project is disabled is refused or cancelled (contract B1.2.6)",
  async (_, request) => {
    const outcomes = new Set<string>()
    for (let round = 0; round < 10; round++) {
      const { id } = await createCampaign(it)
      const [, sent] = await Promise.all([
        it.app.projects.setDisabled(it.project.id, "MANUAL"),
        it.api(`POST /campaigns/${id}/send`, request),
      ])
      await it.app.projects.setDisabled(it.project.id, null)
      outcomes.add(`${sent.status} ${(await campaignOf(it, id)).status}`)
    }
    expect([...outcomes].filter((one) => !["403 DRAFT", "200 CANCELLED"].includes(one))).toEqual([])
  },
)

describe("the response to a change", () => {
  test("that starts a campaign is the started record, even if it is cancelled at once", async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await createCampaign(it)
      const [sent, cancelled] = await Promise.all([it.api(`POST /campaigns/${id}/send`), cancelCampaign(it, id)])
      expect([sent.status, sent.body.data.status]).toEqual([200, "SENDING"])
      expect([200, 409]).toContain(cancelled.status)
    }
  })

  test("of a name has that name, even if it is changed concurrently", async () => {
    const [campaign, segment] = [(await createCampaign(it)).id, await createSegment(it, { condition: onPlan("pro") })]
    const names = Array.from({ length: 10 }, (_, at) => `Name ${at}`)
    const puts = names.map((name) => it.api(`PUT /campaigns/${campaign}`, { body: { ...news, name } }))
    expect((await Promise.all(puts)).map(({ body }) => body.data.name)).toEqual(names)
    const patches = names.map((name) => it.api(`PATCH /segments/${segment}`, { body: { name } }))
    expect((await Promise.all(patches)).map(({ body }) => body.name)).toEqual(names)
  })
})
