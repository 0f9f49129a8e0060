import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { cancelCampaign, createCampaign, createSegment, news, onPlan } from "../harness/campaigns.ts"
import { all, inSegment } from "../harness/segments.ts"

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
