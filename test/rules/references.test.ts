import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { ReferenceTarget } from "../../src/references.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { cancelCampaign, createCampaign, startCampaign } from "../harness/campaigns.ts"
import { addSegment, all, field, inSegment } from "../harness/segments.ts"

let it: TestApp
let vip: string
let list: string
const campaigns: Record<string, string> = {}

beforeAll(async () => {
  it = await startTestApp()
  list = (await addSegment(it, { name: "List", type: "STATIC" })).id
  const condition = all(field("data.profile.plan", "exists"), field("event.buy", "triggered"), inSegment(list))
  vip = (await addSegment(it, { name: "VIP", condition })).id
  const filtered = { audienceType: "FILTERED", audienceCondition: condition }
  campaigns.draft = (await createCampaign(it, { ...filtered, name: "Draft" })).id
  const toList = { audienceType: "SEGMENT", segmentId: list }
  campaigns.planned = await startCampaign(it, { ...toList, name: "Planned" }, "2026-03-01T10:00:00Z")
  campaigns.cancelled = await startCampaign(it, { ...toList, name: "Cancelled" }, "2026-03-01T10:00:00Z")
  await cancelCampaign(it, campaigns.cancelled)
})
afterAll(() => it.close())

const usesOf = async (target: ReferenceTarget, project = it.project.id) =>
  (await it.app.references.to(it.app.store.read, project, target)).map(({ by, name, blocks }) => [by, name, blocks])

describe("references of segments and campaigns", () => {
  test.each<[string, () => ReferenceTarget, (string | boolean)[][]]>([
    [
      "a field, also by what is inside it; they never block (contract A5.9)",
      () => ({ kind: "field", key: "data.profile" }),
      [
        ["segment", "VIP", false],
        ["campaign", "Draft", false],
      ],
    ],
    [
      "an event; they never block (contract B4.2.8)",
      () => ({ kind: "event", key: "buy" }),
      [
        ["segment", "VIP", false],
        ["campaign", "Draft", false],
      ],
    ],
    [
      "a segment; campaigns that are not over block (contract B3.2.5)",
      () => ({ kind: "segment", key: list }),
      [
        ["segment", "VIP", false],
        ["campaign", "Draft", true],
        ["campaign", "Planned", true],
      ],
    ],
    [
      "a sender domain; only scheduled and sending campaigns do, and block (contract B6.6)",
      () => ({ kind: "domain", key: "acme.test" }),
      [["campaign", "Planned", true]],
    ],
    ["an unknown field", () => ({ kind: "field", key: "data.prof" }), []],
    ["another domain", () => ({ kind: "domain", key: "test" }), []],
    ["a template", () => ({ kind: "template", key: vip }), []],
  ])("name %s", async (_, target, uses) => {
    expect(await usesOf(target())).toEqual(uses)
  })

  test("are those of the project alone", async () => {
    const other = await it.app.projects.create("Other")
    expect(await usesOf({ kind: "segment", key: list }, other.id)).toEqual([])
  })

  test("name a sender domain until the campaign is cancelled, and a segment until the campaign is deleted", async () => {
    await cancelCampaign(it, campaigns.planned ?? "")
    expect(await usesOf({ kind: "domain", key: "acme.test" })).toEqual([])
    expect((await it.api(`DELETE /segments/${list}`)).status).toBe(409)
    await it.api(`DELETE /campaigns/${campaigns.draft}`)
    expect(await usesOf({ kind: "segment", key: list })).toEqual([["segment", "VIP", false]])
    expect((await it.api(`DELETE /segments/${list}`)).status).toBe(204)
  })
})
