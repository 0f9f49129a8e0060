import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { scenarios, storedEvents } from "../harness/scenarios.ts"

type Data = Record<string, unknown>

const before: Data = { plan: "free", city: "Oslo", profile: { tier: "gold", since: 2020 } }
const without = (key: string): Data => Object.fromEntries(Object.entries(before).filter(([name]) => name !== key))
const once = (value: unknown) => ({ value, persistent: false })
const parsed = (text: string): Data => JSON.parse(text)

let it: TestApp
let contactCount = 0
beforeAll(async () => {
  it = await startTestApp()
})
afterAll(() => it.close())

/** The contact of the worked examples, with its later state. */
async function someone(data: Data = before) {
  contactCount++
  const email = `data${contactCount}@example.com`
  const { body } = await it.api("POST /v1/track", { body: { email, event: "start", subscribed: true, data } })
  const id: string = body.data.contact
  return {
    id,
    email,
    record: async () => (await it.api(`GET /contacts/${id}`)).body,
    /** The rendered tags of a mail with this data. */
    async sees(source: string, sent: Data): Promise<string> {
      const mail = { to: email, from: "hi@acme.test", subject: "Hi", body: `<p>[${source}]</p>`, data: sent }
      const accepted = await it.api("POST /v1/send", { body: mail })
      expect(accepted.status).toBe(200)
      const { body } = await it.api(`GET /emails/${accepted.body.data.emails[0].email}`)
      return /\[(.*)\]/s.exec(body.text)?.[1] ?? "nothing"
    },
    track: (sent: unknown) => it.api("POST /v1/track", { body: { email, event: "patch", data: sent } }),
  }
}

describe("The worked examples of contract A2.2", () => {
  test.each<[sent: Data, after: Data, source: string, seen: string]>([
    [{ plan: "pro" }, { ...before, plan: "pro" }, "{{plan}} {{city}}", "pro Oslo"],
    [{ age: 41, vip: false }, { ...before, age: 41, vip: false }, "{{age}} {{vip}}", "41 false"],
    [
      { profile: { tier: "silver" } },
      { ...before, profile: { tier: "silver" } },
      "{{profile.tier}}-{{profile.since}}-",
      "silver--",
    ],
    [
      { profile: { tier: null, note: "" } },
      { ...before, profile: { tier: null, note: "" } },
      "{{profile.tier ?? none}}",
      "none",
    ],
    [{ city: null }, without("city"), "{{city ?? there}}", "there"],
    [{ city: "" }, before, "{{city}}", "Oslo"],
    [{ code: once("4711") }, before, "{{code}}", "4711"],
    [{ plan: once("trial") }, before, "{{plan}}", "trial"],
    [{ plan: once(null) }, before, "{{plan ?? none}}", "none"],
    [{ x: { value: 1, persistent: true } }, { ...before, x: { value: 1, persistent: true } }, "{{x.value}}", "1"],
    [{ id: "7", email: "x@y.z", manageUrl: "u" }, before, "{{id}}", "<id>"],
    [{ subscribed: "maybe" }, { ...before, subscribed: "maybe" }, "{{subscribed}} {{data.subscribed}}", "true maybe"],
    [{ tags: ["a", "b"] }, { ...before, tags: ["a", "b"] }, "{{tags}}", "a, b"],
  ])("%j", async (sent, after, source, seen) => {
    const contact = await someone()
    expect(await contact.sees(source, sent)).toBe(seen.replace("<id>", contact.id))
    const { email, subscribed, data } = await contact.record()
    expect({ email, subscribed, data }).toEqual({ email: contact.email, subscribed: true, data: after })
  })

  test("hold for every way to write data", async () => {
    const contact = await someone()
    await contact.track({ plan: "pro", city: null, code: once("4711"), profile: { tier: "silver" }, note: "" })
    expect((await contact.record()).data).toEqual({ plan: "pro", profile: { tier: "silver" } })
  })

  test("store the event of track with its data as sent", async () => {
    const contact = await someone()
    const sent = { city: null, note: "", id: "7", code: once("4711"), profile: { tier: "silver" } }
    const { body } = await contact.track(sent)
    const event = (await storedEvents(it)).find(({ id }) => id === body.data.event)
    expect<unknown>([event?.name, event?.contactId, event?.data]).toEqual(["patch", contact.id, sent])
  })
})

describe("Patching (contract A2.1)", () => {
  test.each<[name: string, sent: Data, after: Data]>([
    ["keeps what is not sent", {}, before],
    [
      "stores strings, numbers, booleans, objects and arrays as sent",
      { a: " x ", b: 0, c: -1.5, d: false, e: {}, f: [], g: [null, "", {}] },
      { ...before, a: " x ", b: 0, c: -1.5, d: false, e: {}, f: [], g: [null, "", {}] },
    ],
    ["replaces an object whole", { profile: { a: { b: { c: 1 } } } }, { ...before, profile: { a: { b: { c: 1 } } } }],
    ["replaces a value of another type", { plan: 5, profile: "none" }, { ...before, plan: 5, profile: "none" }],
    [
      "does not unwrap, drop or delete inside values",
      { p: { q: once(1), id: 1, r: "", s: null } },
      { ...before, p: { q: once(1), id: 1, r: "", s: null } },
    ],
    ["deletes what is there and shrugs at what is not", { plan: null, nothing: null }, without("plan")],
    ["ignores an empty string for a new key too", { note: "" }, before],
    ["stores what is blank but not empty", { note: " " }, { ...before, note: " " }],
    [
      "keeps an object with persistent true",
      { x: { value: 1, persistent: true } },
      { ...before, x: { value: 1, persistent: true } },
    ],
    [
      "keeps one whose persistent is not exactly false",
      { x: { value: 1, persistent: 0 }, y: { value: 1, persistent: "false" }, z: { value: 1, persistent: null } },
      {
        ...before,
        x: { value: 1, persistent: 0 },
        y: { value: 1, persistent: "false" },
        z: { value: 1, persistent: null },
      },
    ],
    [
      "keeps one with a third key",
      { x: { value: 1, persistent: false, more: 1 } },
      { ...before, x: { value: 1, persistent: false, more: 1 } },
    ],
    ["keeps one without value", { x: { persistent: false } }, { ...before, x: { persistent: false } }],
    ["does not store what is for this request", { x: once({ a: 1 }), plan: once("trial"), city: once("") }, before],
    [
      "drops reserved names",
      parsed(
        '{"id":1,"svc_id":1,"svc_email":1,"email":"e@x.yz","unsubscribeUrl":1,"subscribeUrl":1,"manageUrl":1,"__proto__":{"a":1}}',
      ),
      before,
    ],
    ["drops reserved names also when they delete or are for this request", { id: null, email: once("e@x.yz") }, before],
    [
      "keeps names that only look reserved",
      { Id: 1, ID: 2, Email: 3, unsubscribeurl: 4, svcId: 5, constructor: 6, toString: 7, hasOwnProperty: 8, data: 9 },
      {
        ...before,
        Id: 1,
        ID: 2,
        Email: 3,
        unsubscribeurl: 4,
        svcId: 5,
        constructor: 6,
        toString: 7,
        hasOwnProperty: 8,
        data: 9,
      },
    ],
    [
      "keeps the names of core fields as custom fields (contract A2.1.5)",
      { subscribed: false, createdAt: "x", updatedAt: 1, locale: "nl" },
      { ...before, subscribed: false, createdAt: "x", updatedAt: 1, locale: "nl" },
    ],
    [
      "takes any characters in names and values",
      { "first name": 1, "a.b": 2, é: 3, "💌": 4, "\u0000": 5, quote: "\"'\\\u0000\u2028💌" },
      { ...before, "first name": 1, "a.b": 2, é: 3, "💌": 4, "\u0000": 5, quote: "\"'\\\u0000\u2028💌" },
    ],
    [
      "keeps numbers exact",
      { a: 9007199254740991, b: 1e21, c: 0.1, d: 5e-324 },
      { ...before, a: 9007199254740991, b: 1e21, c: 0.1, d: 5e-324 },
    ],
  ])("%s", async (_, sent, after) => {
    const contact = await someone()
    expect((await contact.track(sent)).status).toBe(200)
    const { subscribed, createdAt, updatedAt, data } = await contact.record()
    expect({ subscribed, data }).toEqual({ subscribed: true, data: after })
    expect([createdAt, updatedAt]).toEqual(["2026-01-31T09:15:00.000Z", "2026-01-31T09:15:00.000Z"])
  })

  test("changes updatedAt only when a stored value changes (contract A1.1.6)", async () => {
    const contact = await someone()
    const at = async (sent: unknown) => {
      await it.advance({ seconds: 1 })
      await contact.track(sent)
      return (await contact.record()).updatedAt
    }
    const born = (await contact.record()).updatedAt
    for (const sent of [
      undefined,
      {},
      { plan: "free" },
      { plan: "" },
      { none: null },
      { plan: once("x") },
      { id: 1 },
      { profile: { tier: "gold", since: 2020 } },
    ])
      expect(await at(sent)).toBe(born)
    const changed = await at({ plan: "pro" })
    expect(changed).toBe(new Date(it.clock.now()).toISOString())
    expect(await at({ city: null })).toBe(new Date(it.clock.now()).toISOString())
  })

  test("a request-only value lasts for one request", async () => {
    const contact = await someone()
    expect(await contact.sees("{{code}}", { code: once("4711") })).toBe("4711")
    expect(await contact.sees("{{code ?? gone}}", {})).toBe("gone")
  })
})

const chars = (count: number, char = "k"): string => char.repeat(count)
const nested = (levels: number): Data => (levels === 1 ? {} : { a: nested(levels - 1) })
const arrays = (levels: number): unknown => (levels === 1 ? [] : [arrays(levels - 1)])
/** Data whose JSON has exactly this many bytes. */
const ofSize = (bytes: number): Data => ({ a: chars(bytes - '{"a":""}'.length) })
const big = 256 * 1_024
const tooBig = { status: 422, code: "VALIDATION_ERROR", fields: { data: "too_big" } }
const row = (email: string, data: unknown) => ({ body: { email, event: "e", data } })

scenarios("POST /v1/track: data (contract A2.1.6)", [
  ...["text", 5, true, [], [{}]].map((data) => ({
    name: `is no ${JSON.stringify(data)}`,
    ...row("a@example.com", data),
    status: 422,
    code: "VALIDATION_ERROR",
    fields: { data: "invalid_type" },
  })),
  {
    name: "may have keys of 255 characters",
    ...row("b@example.com", { [chars(255)]: 1, [chars(255, "💌")]: 1 }),
    status: 200,
    events: { e: 1 },
    contacts: 1,
  },
  { name: "has no key of 256", ...row("c@example.com", { [chars(256)]: 1 }), ...tooBig },
  { name: "has no empty key", ...row("c@example.com", { "": 1 }), ...tooBig },
  {
    name: "may have 20 levels",
    ...row("d@example.com", { ...nested(20), b: arrays(19) }),
    status: 200,
    events: { e: 1 },
    contacts: 1,
  },
  {
    name: "may have values of 20 levels for this request alone",
    ...row("e@example.com", { a: { value: arrays(19), persistent: false } }),
    status: 200,
    events: { e: 1 },
    contacts: 1,
  },
  { name: "has no 21 levels of objects", ...row("e@example.com", nested(21)), ...tooBig },
  { name: "has no 21 levels of arrays", ...row("e@example.com", { a: arrays(20) }), ...tooBig },
  { name: "may have 256 KB", ...row("f@example.com", ofSize(big)), status: 200, events: { e: 1 }, contacts: 1 },
  { name: "has no byte more", ...row("g@example.com", ofSize(big + 1)), ...tooBig },
  { name: "has no byte more in other scripts", ...row("g@example.com", { a: chars(big / 2, "é") }), ...tooBig },
  { name: "may not grow beyond 256 KB with what is stored", ...row("f@example.com", { b: 1 }), ...tooBig },
  { name: "may shrink what is stored", ...row("f@example.com", { a: "small", b: 1 }), status: 200, events: { e: 1 } },
  {
    name: "counts what is for this request too, since the event keeps it",
    ...row("i@example.com", { a: once(chars(big)) }),
    ...tooBig,
  },
  {
    name: "has no number beyond those of JSON's readers",
    raw: '{"email":"h@example.com","event":"e","data":{"a":[1e400]}}',
    headers: { "Content-Type": "application/json" },
    ...tooBig,
  },
])
