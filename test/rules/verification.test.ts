import { describe, expect, test } from "bun:test"
import { createLists } from "../../src/modules/verification/lists.ts"
import { popularDomains } from "../../src/modules/verification/popular.ts"
import { type Flags, findingsOf, flagsOf, reasonsFor } from "../../src/modules/verification/rules.ts"

const nothingOwn = { disposable: [], alias: [], personal: [] }
const lists = await createLists(nothingOwn)()
const flags = (address: string): Flags => flagsOf(address, lists)

const none: Flags = {
  isDisposable: false,
  isAlias: false,
  isTypo: false,
  isPlusAddressed: false,
  isPersonalEmail: false,
}

describe("an address", () => {
  test.each(["ada@acme.test", "ada@example.com", "ada@mailstead.dev", "a@b.co", "sales@microsoft.com"])(
    "%s is nothing special",
    (address) => {
      expect(flags(address)).toEqual(none)
    },
  )

  test.each([
    "mailinator.com",
    "yopmail.com",
    "guerrillamail.com",
    "10minutemail.com",
    "sub.mailinator.com",
    "a.b.yopmail.com",
    "amail.com",
  ])("at %s is disposable", (domain) => {
    expect(flags(`ada@${domain}`).isDisposable).toBe(true)
  })

  test.each(["notmailinator.test", "mailinator.com.acme.test", "xyopmail.test", "com", "gmail.com", "gmial.com"])(
    "at %s is not disposable",
    (domain) => {
      expect(flags(`ada@${domain}`).isDisposable).toBe(false)
    },
  )

  test.each([
    "duck.com",
    "mozmail.com",
    "privaterelay.appleid.com",
    "slmail.me",
    "ada.anonaddy.com",
    "passmail.net",
    "snkml.com",
  ])("at %s is an alias", (domain) => {
    expect(flags(`ada@${domain}`)).toEqual({ ...none, isAlias: true })
  })

  test.each(["appleid.com", "duckling.com", "com", "anonaddy.com.acme.test"])("at %s is no alias", (domain) => {
    expect(flags(`ada@${domain}`).isAlias).toBe(false)
  })

  test.each([
    "gmail.com",
    "outlook.com",
    "hotmail.com",
    "yahoo.com",
    "icloud.com",
    "proton.me",
    "gmx.net",
    "t-online.de",
    "163.com",
    "mail.ru",
  ])("at %s is personal", (domain) => {
    expect(flags(`ada@${domain}`)).toEqual({ ...none, isPersonalEmail: true })
  })

  test.each(["mail.gmail.com", "google.com", "example.com", "mailinator.com", "duck.com"])(
    "at %s is not personal",
    (domain) => {
      expect(flags(`ada@${domain}`).isPersonalEmail).toBe(false)
    },
  )

  test.each([
    ["ada+news@acme.test", true],
    ["a+@acme.test", true],
    ["+a+b@acme.test", true],
    ["+ada@acme.test", false],
    ["+@acme.test", false],
    ["ada@acme.test", false],
  ])("%s is plus-addressed: %j", (address, expected) => {
    expect(flags(address).isPlusAddressed).toBe(expected)
  })
})

describe("a typing error", () => {
  test.each([
    ["swapped", "gmial.com", "gmail.com"],
    ["swapped", "hotmial.com", "hotmail.com"],
    ["swapped", "gmail.ocm", "gmail.com"],
    ["missing", "gmal.com", "gmail.com"],
    ["missing", "gmail.co", "gmail.com"],
    ["missing", "yaho.com", "yahoo.com"],
    ["missing", "outlok.com", "outlook.com"],
    ["missing", "gmailcom.com", undefined],
    ["added", "gmaill.com", "gmail.com"],
    ["added", "gmail.comm", "gmail.com"],
    ["added", "iicloud.com", "icloud.com"],
    ["replaced", "gmaul.com", "gmail.com"],
    ["replaced", "gmail.con", "gmail.com"],
    ["replaced", "hotnail.com", "hotmail.com"],
    ["replaced", "yahoo.co.ul", "yahoo.co.uk"],
    ["wrong twice", "gmaul.con", undefined],
    ["swapped twice", "mgial.com", undefined],
    ["swapped over a distance", "lmaig.com", undefined],
  ] as const)("with a letter %s: %s means %p", (_, domain, meant) => {
    const { isTypo, suggestedEmail } = flags(`ada+x@${domain}`)
    expect([isTypo, suggestedEmail]).toEqual([meant !== undefined, meant && `ada+x@${meant}`])
  })

  test.each([
    "mail.com",
    "email.com",
    "ymail.com",
    "gmx.com",
    "gmx.net",
    "gmx.de",
    "hotmail.fr",
    "hotmail.be",
    "hotmail.fi",
    "yahoo.co.uk",
    "yahoo.com.ar",
    "yahoo.gr",
    "yahoo.ie",
    "proton.me",
    "pm.me",
    "me.com",
    "live.com",
    "aol.com",
    "tutanota.com",
    "zoho.com",
    "inbox.lv",
  ])("is not seen in %s", (domain) => {
    expect(flags(`ada@${domain}`)).toMatchObject({ isTypo: false })
    expect(flags(`ada@${domain}`)).not.toHaveProperty("suggestedEmail")
  })

  test.each(popularDomains)("is not seen in %s, which is popular and personal", (domain) => {
    expect(flags(`ada@${domain}`)).toEqual({ ...none, isPersonalEmail: true })
  })

  test("is not seen in a domain that the operator knows", async () => {
    const own = await createLists({ disposable: [], alias: ["hmail.com"], personal: ["gmaul.com"] })()
    for (const domain of ["hmail.com", "gmaul.com"]) expect(flagsOf(`ada@${domain}`, own).isTypo).toBe(false)
    for (const domain of ["hmail.com", "gmaul.com"]) expect(flags(`ada@${domain}`).isTypo).toBe(true)
  })
})

test("the operator's domains are used in addition to the built-in ones", async () => {
  const own = await createLists({
    disposable: ["trash.test", "hotmial.com"],
    alias: ["hide.test"],
    personal: ["isp.test"],
  })()
  expect(flagsOf("ada@trash.test", own)).toEqual({ ...none, isDisposable: true })
  expect(flagsOf("ada@bin.trash.test", own)).toEqual({ ...none, isDisposable: true })
  expect(flagsOf("ada@hotmial.com", own)).toMatchObject({ isDisposable: true, isTypo: true })
  expect(flagsOf("ada@my.hide.test", own)).toEqual({ ...none, isAlias: true })
  expect(flagsOf("ada@isp.test", own)).toEqual({ ...none, isPersonalEmail: true })
  expect(flagsOf("ada@my.isp.test", own)).toEqual(none)
  expect(flagsOf("ada@mailinator.com", own).isDisposable).toBe(true)
})

test("the lists are built once", async () => {
  const load = createLists(nothingOwn)
  expect(await load()).toBe(await load())
})

describe("the results of DNS", () => {
  const mx = (...exchanges: string[]) =>
    ({ kind: "found", records: exchanges.map((exchange) => ({ priority: 10, exchange })) }) as const
  const at = (...records: string[]) => ({ kind: "found", records }) as const
  const none = { kind: "none" } as const
  const gone = { kind: "no_domain" } as const
  const silence = { kind: "no_answer" } as const

  test.each([
    ["a mail server and an address", mx("mx.acme.test"), at("192.0.2.1"), true, true, true, "accepted"],
    ["a mail server alone", mx("mx.acme.test"), none, true, false, true, "accepted"],
    ["an address alone", none, at("192.0.2.1"), true, true, false, "no_mx"],
    ["neither", none, none, true, false, false, "no_mx"],
    ["a null MX", mx(""), at("192.0.2.1"), true, true, false, "declined"],
    ["a null MX beside another one", mx("", "mx.acme.test"), none, true, false, true, "accepted"],
    ["no such domain", gone, gone, false, false, false, "no_domain"],
    ["nothing", silence, silence, false, false, false, "unknown"],
    ["a mail server, and of addresses nothing", mx("mx.acme.test"), silence, true, false, true, "accepted"],
    ["an address, and of mail nothing", silence, at("192.0.2.1"), true, true, false, "unknown"],
    ["no mail server, and of addresses nothing", none, silence, true, false, false, "no_mx"],
    ["no address, and of mail nothing", silence, none, true, false, false, "unknown"],
    ["no such domain, and of mail nothing", silence, gone, false, false, false, "no_domain"],
    ["a mail server, but no such domain", mx("mx.acme.test"), gone, true, false, true, "accepted"],
    ["an address, though of mail no such domain", gone, at("192.0.2.1"), true, true, false, "no_mx"],
    ["no mail server, but no such domain either", none, gone, false, false, false, "no_domain"],
  ] as const)("%s", (_, mail, addresses, domainExists, hasWebsite, hasMxRecords, verdict) => {
    expect(findingsOf(mail, addresses)).toEqual({ domainExists, hasWebsite, hasMxRecords, mail: verdict })
  })
})

test("every finding and every flag has a sentence", () => {
  const findings = (mail: "accepted" | "declined" | "no_mx" | "no_domain" | "unknown") => ({
    domainExists: true,
    hasWebsite: true,
    hasMxRecords: true,
    mail,
  })
  const said = (mail: Parameters<typeof findings>[0], more: Partial<Flags> = {}) =>
    reasonsFor("ada@acme.test", { ...none, ...more }, findings(mail))
  const plain = (["accepted", "declined", "no_mx", "no_domain", "unknown"] as const).map((mail) => said(mail))
  expect(plain.map((reasons) => reasons.length)).toEqual([1, 1, 1, 1, 1])
  const all = said("accepted", {
    isDisposable: true,
    isAlias: true,
    isTypo: true,
    suggestedEmail: "ada@gmail.com",
    isPlusAddressed: true,
    isPersonalEmail: true,
  })
  expect(new Set([...plain.flat(), ...all]).size).toBe(10)
  for (const sentence of [...plain.flat(), ...all]) expect(sentence).toMatch(/^[A-Z].*\.$/)
  expect(all.join(" ")).toContain("ada@gmail.com")
})
