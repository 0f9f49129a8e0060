import { describe, expect, test } from "bun:test"
import { dataOf } from "../../src/modules/events/index.ts"
import { dataToStore, usualKeysOf } from "../../src/modules/events/stored-data.ts"

const emailId = "0199c0de-0000-7000-8000-000000000001"
const campaignId = "0199c0de-0000-7000-8000-000000000002"
const createdAt = Date.parse("2026-01-31T09:15:00.123Z")
const base = {
  subject: "News",
  from: "news@acme.test",
  fromName: null,
  messageId: `${emailId}@acme.test`,
  emailId,
  templateId: null,
  campaignId: null,
  sourceType: "TRANSACTIONAL",
}
const time = "2026-01-31T09:15:00.123Z"
const event = (name: string) => ({ name, emailId, createdAt })
const again = (name: string, data: object) => {
  const storedData = dataToStore(event(name), data as never)
  return dataOf({ ...event(name), storedData })
}

describe("The data of an event about a message", () => {
  test.each<[name: string, data: object]>([
    ["email.sent", { ...base, sentAt: time }],
    ["email.sent", { ...base, fromName: "Acme", campaignId, sentAt: time }],
    ["email.sent", { ...base, fromName: "Acme", campaignId, sourceType: "CAMPAIGN", sentAt: time }],
    ["email.sent", { ...base, sourceType: "WORKFLOW", sentAt: time }],
    ["email.sent", { ...base, sentAt: "2026-01-31T09:14:00.000Z" }],
    ["email.sent", { ...base, messageId: "other@shop.test", sentAt: time }],
    ["email.open", { ...base, openedAt: "2026-01-31T09:15:00.122Z", opens: 2, isFirstOpen: false }],
    ["email.click", { ...base, link: "https://a.test", clickedAt: time, clicks: 1, isFirstClick: true }],
    ["email.bounce", { ...base, bounceType: "Transient", transientBounce: true }],
    ["email.bounce", { ...base, bounceType: "Permanent", bouncedAt: time }],
    ["email.complaint", { ...base, complainedAt: time }],
    ["email.received", { messageId: "m@else.test", to: "a@acme.test", from: "b@else.test" }],
  ])("is read as it was stored: %s %j", (name, data) => {
    expect(again(name, data)).toEqual(data as never)
    expect(Object.keys(again(name, data)).slice(0, 8)).toEqual(Object.keys(data).slice(0, 8))
  })

  test("is stored without what its row tells", () => {
    const stored = dataToStore(event("email.sent"), { ...base, campaignId, sourceType: "CAMPAIGN", sentAt: time })
    expect(stored).toEqual({ subject: "News", from: "news@acme.test", campaignId })
  })

  test("was stored whole before", () => {
    const storedData = { ...base, fromName: "Acme", sentAt: "2025-01-01T00:00:00.000Z" }
    expect(dataOf({ ...event("email.sent"), storedData })).toEqual(storedData)
  })

  test("has keys that may not be stored", () => {
    expect(usualKeysOf("email.sent").sort()).toEqual([
      "campaignId",
      "emailId",
      "fromName",
      "messageId",
      "sentAt",
      "sourceType",
      "templateId",
    ])
    expect([usualKeysOf("purchase"), usualKeysOf("email.received")]).toEqual([[], []])
  })
})

test("The data of any other event is stored whole", () => {
  const data = { ...base, sentAt: time }
  const names = ["purchase", "constructor", "toString", "__proto__"].map(event)
  for (const about of [...names, { ...event("email.sent"), emailId: null }]) {
    expect(dataToStore(about, data)).toBe(data)
    expect(dataOf({ ...about, storedData: { from: "a@acme.test", subject: "x" } })).toEqual({
      from: "a@acme.test",
      subject: "x",
    })
  }
})
