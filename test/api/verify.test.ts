import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { startDnsServer, type Zone } from "../harness/dns-server.ts"
import { countEffects, gained, type Scenario, scenarios } from "../harness/scenarios.ts"

const mail = ["MX", { preference: 10, exchange: "mx.acme.test" }] as const
const zone: Zone = {
  "whole.test": [mail, ["A", "192.0.2.1"], ["AAAA", "2001:db8::1"]],
  "six.test": [mail, ["AAAA", "2001:db8::1"]],
  "mailonly.test": [mail],
  "webonly.test": [["A", "192.0.2.1"]],
  "bare.test": [["TXT", "nothing else"]],
  "null.test": [
    ["MX", { preference: 0, exchange: "." }],
    ["A", "192.0.2.1"],
  ],
  "alias.test": [["CNAME", "whole.test"]],
  "big.test": [
    ["A", "192.0.2.1"],
    ...Array.from(
      { length: 60 },
      (_, i) => ["MX", { preference: i, exchange: `mx${i}.a-long-name-that-fills-the-datagram.test` }] as const,
    ),
  ],
  "xn--bcher-kva.test": [mail],
  "gmail.com": [mail, ["A", "192.0.2.1"]],
  "gmial.com": [["A", "192.0.2.1"]],
  "mailinator.com": [mail],
  "duck.com": [mail],
  "trash.test": [mail],
  "hide.test": [mail],
  "isp.test": [mail],
}
const dns = await startDnsServer(zone)
const silent = await startDnsServer()
silent.always("silent")
afterAll(() => Promise.all([dns.stop(), silent.stop()]))

const valid = { valid: true, domainExists: true, hasMxRecords: true }
const plain = { isDisposable: false, isAlias: false, isTypo: false, isPlusAddressed: false, isPersonalEmail: false }

const says = (name: string, email: string, data: object): Scenario => ({
  name,
  body: { email },
  status: 200,
  answer: { success: true, data },
})

const refused = (name: string, body: object | undefined, code: string): Scenario => ({
  name,
  ...(body ? { body } : {}),
  status: 422,
  code: "VALIDATION_ERROR",
  fields: { email: code },
})

scenarios(
  "POST /v1/verify (contract A4.4)",
  [
    says("shows the address in its canonical form", "  Ada@WHOLE.test ", { email: "ada@whole.test", ...valid }),
    says("asks DNS for the ASCII form of a domain", "ada@Bücher.test", { email: "ada@xn--bcher-kva.test", ...valid }),
    says("sees a website by IPv6 alone", "ada@six.test", { ...valid, hasWebsite: true }),
    says("needs no website", "ada@mailonly.test", { ...valid, hasWebsite: false }),
    says("does not take an address record for a mail server", "ada@webonly.test", {
      valid: false,
      domainExists: true,
      hasWebsite: true,
      hasMxRecords: false,
    }),
    says("finds a domain that has neither", "ada@bare.test", {
      valid: false,
      domainExists: true,
      hasWebsite: false,
      hasMxRecords: false,
    }),
    says("does not count a null MX", "ada@null.test", {
      valid: false,
      domainExists: true,
      hasWebsite: true,
      hasMxRecords: false,
    }),
    says("finds no domain where none exists", "ada@nowhere.test", {
      valid: false,
      domainExists: false,
      hasWebsite: false,
      hasMxRecords: false,
    }),
    says("follows an alias of the domain", "ada@alias.test", { ...valid, hasWebsite: true }),
    says("takes an answer of any size", "ada@big.test", { ...valid, hasWebsite: true }),
    says("proposes what was meant", "ada@gmial.com", {
      ...plain,
      valid: false,
      isTypo: true,
      suggestedEmail: "ada@gmail.com",
    }),
    says("does so for a domain that does not exist", "ada@gmail.con", {
      valid: false,
      domainExists: false,
      isTypo: true,
      suggestedEmail: "ada@gmail.com",
    }),
    says("knows personal addresses", "ada@gmail.com", { ...plain, ...valid, isPersonalEmail: true }),
    says("calls a disposable address valid when mail gets there", "ada@mailinator.com", {
      ...plain,
      ...valid,
      isDisposable: true,
    }),
    says("knows aliases", "ada@duck.com", { ...plain, ...valid, isAlias: true }),
    says("knows plus addresses", "ada+news@whole.test", { ...plain, ...valid, isPlusAddressed: true }),
    says("knows what the operator calls disposable", "ada@trash.test", { ...plain, ...valid, isDisposable: true }),
    says("knows what the operator calls an alias", "ada@hide.test", { ...plain, ...valid, isAlias: true }),
    says("knows what the operator calls personal", "ada@isp.test", { ...plain, ...valid, isPersonalEmail: true }),
    says("ignores unknown fields", "ada@whole.test", valid),

    refused("without body is refused", undefined, "required"),
    refused("without address is refused", {}, "required"),
    refused("with null is refused", { email: null }, "required"),
    refused("with a number is refused", { email: 5 }, "invalid_type"),
    refused("with a list is refused", { email: ["ada@whole.test"] }, "invalid_type"),
    ...[
      "",
      " ",
      "ada",
      "ada@",
      "@whole.test",
      "ada@whole",
      "a b@whole.test",
      "Ada <ada@whole.test>",
      "ada@[192.0.2.1]",
      "ada@192.0.2.1",
      `${"a".repeat(65)}@whole.test`,
    ].map((email) => refused(`with ${JSON.stringify(email)} is refused`, { email }, "invalid_string")),
    {
      name: "with a list for a body is refused",
      raw: "[]",
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { "": "invalid_type" },
    },
    { name: "with malformed JSON is refused", raw: "{", status: 400, code: "BAD_REQUEST" },
    {
      name: "without key is refused",
      key: "none",
      body: { email: "ada@whole.test" },
      status: 401,
      code: "INVALID_API_KEY",
    },
    {
      name: "with the public key is refused",
      key: "pk",
      body: { email: "ada@whole.test" },
      status: 401,
      code: "INVALID_API_KEY",
    },
    {
      name: "with an unknown key is refused",
      key: `sk_${"0".repeat(64)}`,
      body: { email: "ada@whole.test" },
      status: 401,
      code: "INVALID_API_KEY",
    },
    { name: "by GET is unknown", route: "GET /v1/verify", status: 404, code: "RESOURCE_NOT_FOUND" },
  ],
  {
    settings: {
      "dns.servers": dns.address,
      "verification.disposable": "Trash.test",
      "verification.alias": "hide.test",
      "verification.personal": "isp.test",
    },
  },
)

describe("POST /v1/verify without DNS", () => {
  let it: TestApp
  beforeAll(async () => {
    it = await startTestApp({ settings: { "dns.servers": silent.address } })
  })
  afterAll(() => it.close())

  test("answers after 5 seconds, reports that and stores nothing", async () => {
    const before = await countEffects(it)
    let done = false
    const answer = it.api("POST /v1/verify", { body: { email: "ada+x@gmial.com" } }).finally(() => {
      done = true
    })
    for (const [queries, ms] of [
      [3, 1_000],
      [6, 2_000],
      [9, 1_999],
    ] as const) {
      await silent.received(queries)
      await it.clock.advance(ms)
    }
    expect(done).toBe(false)
    await it.clock.advance(1)
    const { status, body } = await answer
    expect([status, body.data.reasons[0]]).toEqual([
      200,
      "DNS gave no answer about gmial.com, so nobody knows whether mail gets there.",
    ])
    expect(body.data).toMatchObject({
      valid: false,
      domainExists: false,
      hasWebsite: false,
      hasMxRecords: false,
      isTypo: true,
      isPlusAddressed: true,
      suggestedEmail: "ada+x@gmail.com",
    })
    expect(gained(before, await countEffects(it))).toEqual({ events: {}, mails: 0, contacts: 0 })
  })

  test("answers at once when there is no server to ask", async () => {
    const gone = await startDnsServer()
    await gone.stop()
    const lonely = await startTestApp({ settings: { "dns.servers": gone.address } })
    const { status, body } = await lonely.api("POST /v1/verify", { body: { email: "ada@gmail.com" } })
    expect([status, body.data.valid, body.data.isPersonalEmail]).toEqual([200, false, true])
    await lonely.close()
  })
})

describe("POST /v1/verify", () => {
  const ask = (it: TestApp, headers = {}) => it.api("POST /v1/verify", { body: { email: "ada@whole.test" }, headers })

  test("has all fields and no others", async () => {
    const it = await startTestApp({ settings: { "dns.servers": dns.address } })
    expect((await ask(it)).body).toEqual({
      success: true,
      data: {
        email: "ada@whole.test",
        ...valid,
        ...plain,
        hasWebsite: true,
        reasons: ["The domain whole.test has mail servers."],
      },
    })
    await it.close()
  })

  test("counts against the rate limit and takes no idempotency key", async () => {
    const it = await startTestApp({ settings: { "dns.servers": dns.address, "limits.requests_per_minute": "2" } })
    const same = { "Idempotency-Key": "same" }
    const answers = [await ask(it, same), await ask(it, same), await ask(it, same)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    await it.close()
  })
})
