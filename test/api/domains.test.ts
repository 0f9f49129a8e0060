import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { encode } from "dns-packet"
import { sql } from "drizzle-orm"
import { day } from "../../src/kernel/clock.ts"
import { yieldToEventLoop } from "../../src/kernel/event-loop.ts"
import { signUp } from "../harness/accounts.ts"
import type { ApiAnswer } from "../harness/api.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { type DnsServer, startDnsServer, type Zone } from "../harness/dns-server.ts"
import { type DnsRecord, inStrings, zoneOf } from "../harness/domains.ts"

let it: TestApp
let dns: DnsServer

beforeAll(async () => {
  dns = await startDnsServer()
  it = await startTestApp({ settings: { "dns.servers": dns.address, "smtp.hostname": "mail.mailstead.test" } })
})
beforeEach(() => {
  dns.always(undefined)
})
afterAll(async () => {
  await it.close()
  await dns.stop()
})

let count = 0
const add = async (domain = `shop${++count}.test`): Promise<ApiAnswer["body"]> => {
  const { status, body } = await it.api("POST /domains", { body: { domain } })
  expect([domain, status]).toEqual([domain, 201])
  return body
}
const verify = async (id: string) => (await it.api(`GET /domains/${id}/verify`)).body
const find = async (id: string) =>
  (await it.api("GET /domains/project/current")).body.find((domain: { id: string }) => domain.id === id)

const statuses = (domain: { records: readonly DnsRecord[] }) =>
  Object.fromEntries(domain.records.map(({ purpose, type, name, status }) => [`${purpose} ${type} ${name}`, status]))

test("others are served between the domains of a long list", async () => {
  const own = await startTestApp()
  for (const name of ["a", "b", "c", "d", "e"])
    await own.app.domains.add(own.project.id, `${name}.test`, { vouched: true })
  // The first list makes their keys.
  await own.app.domains.list(own.project.id)
  let isOver = false
  const listing = own.app.domains.list(own.project.id).finally(() => {
    isOver = true
  })
  let turns = 0
  for (; !isOver; turns++) await yieldToEventLoop()
  expect(turns).toBeGreaterThanOrEqual(5)
  expect((await listing).map(({ domain }) => domain.domain)).toEqual(expect.arrayContaining(["a.test", "e.test"]))
  await own.close()
})

test("a domain whose check fails does not keep those after it from being checked (contract B6.7)", async () => {
  const own = await startTestApp({ settings: { "dns.servers": dns.address } })
  const names = Array.from({ length: 10 }, (_, at) => `many${at}.test`)
  for (const domain of names) expect((await own.api("POST /domains", { body: { domain } })).status).toBe(201)
  await own.app.store.write(own.project.id, async (unit) => {
    await unit.db.run(
      sql.raw(`CREATE TRIGGER stuck BEFORE UPDATE ON domain WHEN NEW.domain = '${names[0]}'
        BEGIN SELECT RAISE(ABORT, 'stuck'); END`),
    )
  })
  await own.settle()
  await own.advance({ minutes: 6 })
  const { body } = await own.api("GET /domains/project/current")
  const checked = body.filter(({ lastCheckedAt }: { lastCheckedAt: string | null }) => lastCheckedAt !== null)
  expect(checked.map(({ domain }: { domain: string }) => domain).sort()).toEqual(names.slice(1))
  expect(own.complaints).toContainEqual(
    expect.objectContaining({
      message: "A domain could not be checked",
      fields: expect.objectContaining({ domain: names[0] }),
    }),
  )
  await own.close()
})

describe("POST /domains (contract B6.4)", () => {
  test("returns the records to publish", async () => {
    const domain = await add("  ACME-Shop.Test ")
    expect(domain).toMatchObject({
      domain: "acme-shop.test",
      verified: false,
      status: "PENDING",
      dkimTokens: ["ms1", "ms2"],
      projectId: it.project.id,
      lastCheckedAt: null,
    })
    const shown = domain.records.map(({ purpose, type, name, value, priority, required, status }: DnsRecord) => [
      purpose,
      type,
      name,
      value.replace(/p=[A-Za-z0-9+/=]{40,}/, "p=..."),
      priority,
      required,
      status,
    ])
    expect(shown).toEqual([
      ["DKIM", "TXT", "ms1._domainkey.acme-shop.test", "v=DKIM1; k=rsa; p=...", undefined, true, "PENDING"],
      ["DKIM", "TXT", "ms2._domainkey.acme-shop.test", "v=DKIM1; k=ed25519; p=...", undefined, false, "PENDING"],
      ["SPF", "TXT", "bounce.acme-shop.test", "v=spf1 a:mail.mailstead.test ~all", undefined, false, "PENDING"],
      ["RETURN_PATH", "MX", "bounce.acme-shop.test", "mail.mailstead.test", 10, false, "PENDING"],
      ["DMARC", "TXT", "_dmarc.acme-shop.test", "v=DMARC1; p=none", undefined, false, "PENDING"],
      ["INBOUND", "MX", "acme-shop.test", "mail.mailstead.test", 10, false, "PENDING"],
    ])
    expect(await find(domain.id)).toEqual(domain)
  })

  test("shows no private key", async () => {
    const { id } = await add()
    expect(JSON.stringify(await find(id))).not.toContain("PRIVATE")
  })

  test.each([
    [{}, "required"],
    [{ domain: 7 }, "invalid_type"],
    [{ domain: "a" }, "too_small"],
    [{ domain: `${"a.".repeat(127)}test` }, "too_big"],
    [{ domain: "localhost" }, "invalid_string"],
    [{ domain: "shop_test.example" }, "invalid_string"],
    [{ domain: "https://shop.test" }, "invalid_string"],
  ])("refuses %j", async (body, code) => {
    const { status, body: answer } = await it.api("POST /domains", { body })
    expect([status, answer.error.code, answer.error.errors[0]]).toEqual([
      422,
      "VALIDATION_ERROR",
      expect.objectContaining({ field: "domain", code }),
    ])
  })

  test("accepts names in any script and stores their ASCII form", async () => {
    expect((await add("bücher.test")).domain).toBe("xn--bcher-kva.test")
  })

  test("refuses one that is registered, here or in another project", async () => {
    const { domain } = await add()
    const again = await it.api("POST /domains", { body: { domain: domain.toUpperCase() } })
    expect([again.status, again.body.error.code]).toEqual([409, "CONFLICT"])
    const other = await it.app.projects.create("Other")
    expect((await it.api("POST /domains", { key: other.secret, body: { domain } })).status).toBe(409)
    // The operator's word does not take it away either.
    await expect(it.app.domains.add(other.id, domain, { vouched: true })).rejects.toMatchObject({ kind: "conflict" })
  })

  test("accepts only its own project id", async () => {
    const other = await it.app.projects.create("Other")
    const refused = await it.api("POST /domains", { body: { domain: "mine.test", projectId: other.id } })
    expect([refused.status, refused.body.error.code]).toEqual([403, "PROJECT_ACCESS_DENIED"])
    const body = { domain: "mine.test", projectId: it.project.id.toUpperCase() }
    expect((await it.api("POST /domains", { body })).status).toBe(201)
  })
})

describe("A check (contract B6.5)", () => {
  test("verifies a domain whose required records exist, and reports missing ones", async () => {
    const { id, records } = await add()
    dns.zone = zoneOf(records.filter(({ purpose }: DnsRecord) => purpose === "DKIM"))
    const checked = await verify(id)
    expect(checked).toMatchObject({ verified: true, status: "VERIFIED", lastCheckedAt: "2026-01-31T09:15:00.000Z" })
    expect(new Set(Object.values(statuses(checked)))).toEqual(new Set(["VERIFIED", "PENDING"]))
    dns.zone = zoneOf(records)
    expect(new Set(Object.values(statuses(await verify(id))))).toEqual(new Set(["VERIFIED"]))
    expect(await find(id)).toMatchObject({ verified: true, status: "VERIFIED" })
  })

  test("allows the domain to send", async () => {
    const { id, domain, records } = await add()
    const send = () =>
      it.api("POST /v1/send", { body: { to: "ada@x.test", from: `hi@${domain}`, subject: "Hi", body: "<p>Hi</p>" } })
    const refused = await send()
    expect([refused.status, refused.body.error.code]).toEqual([403, "INTERNAL_SERVER_ERROR"])
    dns.zone = zoneOf(records)
    await verify(id)
    expect((await send()).status).toBe(200)
    await it.settle()
    const mime = new TextDecoder().decode(it.sent().at(-1)?.mime())
    expect(mime.match(/^DKIM-Signature: v=1; a=(rsa|ed25519)-sha256/gm)).toHaveLength(2)
    expect(mime).toContain(`d=${domain}`)
  })

  test("reports the values found instead", async () => {
    const { id, records } = await add()
    const [dkim] = records
    dns.zone = { [dkim.name]: [["TXT", "v=DKIM1; k=rsa; p=AAAA", 1]] }
    const checked = await verify(id)
    expect(checked.verified).toBe(false)
    expect(checked.records[0]).toMatchObject({ status: "PENDING", found: ["v=DKIM1; k=rsa; p=AAAA"] })
  })

  test("accepts a key with blanks and other tags", async () => {
    const { id, records } = await add()
    const [{ name, value }] = records
    const key = /p=(.*)/.exec(value)?.[1] ?? ""
    dns.zone = { [name]: [["TXT", inStrings(`v=DKIM1;t=s; p=${key.slice(0, 20)} ${key.slice(20)};`), 1]] }
    expect(await verify(id)).toMatchObject({ verified: true })
  })

  test("changes nothing when no server answers", async () => {
    const { id, records } = await add()
    dns.zone = zoneOf(records)
    const before = await verify(id)
    dns.always("servfail")
    for (let check = 0; check < 4; check++) expect(await verify(id)).toEqual(before)
  })

  test("withdraws verification after the third consecutive miss, and a success resets the count", async () => {
    const { id, records } = await add()
    const verified = async () => (await verify(id)).verified
    dns.zone = zoneOf(records)
    expect(await verified()).toBe(true)
    for (const isThere of [false, false, true, false, false]) {
      dns.zone = isThere ? zoneOf(records) : {}
      expect(await verified()).toBe(true)
    }
    expect(await verify(id)).toMatchObject({ verified: false, status: "PENDING" })
  })

  test("asks the DNS each time, however often the settings have them made (contract B6.7)", async () => {
    const settings = { "dns.servers": dns.address, "domains.check_seconds": "5" }
    const own = await startTestApp({ settings })
    const { body: added } = await own.api("POST /domains", { body: { domain: "often.test" } })
    const verified = async () =>
      (await own.api("GET /domains/project/current")).body.find(({ id }: { id: string }) => id === added.id).verified
    const after: boolean[] = []
    for (const zone of [{}, zoneOf(added.records), {}, zoneOf(added.records), {}, {}, {}]) {
      dns.zone = zone
      await own.advance({ seconds: 5 })
      after.push(await verified())
    }
    expect(after).toEqual([false, true, true, true, true, true, false])
    await own.close()
  })

  test("says when the records were last found, also after the domain lost them (contract B6.11)", async () => {
    const { id, records, verifiedAt } = await add()
    expect(verifiedAt).toBeNull()
    expect((await verify(id)).verifiedAt).toBeNull()
    await it.advance({ minutes: 1 })
    const found = new Date(it.clock.now()).toISOString()
    dns.zone = zoneOf(records)
    expect((await verify(id)).verifiedAt).toBe(found)
    await it.advance({ minutes: 1 })
    dns.zone = {}
    for (let check = 0; check < 3; check++) await verify(id)
    expect(await find(id)).toMatchObject({ verified: false, verifiedAt: found })
  })

  test("takes a required record without an answer for neither found nor missed (contract B6.7, B6.11)", async () => {
    const { id, records } = await add()
    await it.advance({ seconds: 1 })
    dns.zone = zoneOf(records)
    const { verifiedAt } = await verify(id)
    const [dkim] = records
    const failure = 2
    dns.zone = zoneOf(records.filter(({ name }: DnsRecord) => name !== dkim.name))
    for (const verified of [true, true, false]) {
      await it.advance({ seconds: 1 })
      dns.always(undefined)
      expect(await verify(id)).toMatchObject({ verified, verifiedAt })
      dns.always(({ name }, honest) => [
        encode(name === dkim.name ? { ...honest, answers: [], flags: failure } : honest),
      ])
      expect(await verify(id)).toMatchObject({ verified, verifiedAt })
    }
  })

  test.each([
    ["SPF", "bounce", "v=spf1 -all"],
    ["DMARC", "_dmarc", "v=DMARC1; p=reject"],
  ])("counts no %s record beside another one (RFC 7208, 4.5; RFC 7489, 6.6.3)", async (wanted, label, other) => {
    const { id, records, domain } = await add()
    const name = `${label}.${domain}`
    const foundBeside = async (text: string) => {
      const zone = zoneOf(records)
      dns.zone = { ...zone, [name]: [...(zone[name] ?? []), ["TXT", text, 1]] }
      const { status, found } = (await verify(id)).records.find(({ purpose }: DnsRecord) => purpose === wanted)
      return [status, found.length]
    }
    expect(await foundBeside("proof=1")).toEqual(["VERIFIED", 0])
    expect(await foundBeside(other)).toEqual(["PENDING", 2])
  })

  test.each(["v=DMARC1; p=Reject", "V = DMARC1 ; P = none; rua=mailto:a@b.test"])(
    "finds a DMARC record in any way of writing (RFC 7489, 6.4): %s",
    async (text) => {
      const { id, domain } = await add()
      dns.zone = { [`_dmarc.${domain}`]: [["TXT", text, 1]] }
      const { records } = await verify(id)
      expect(records.find(({ purpose }: DnsRecord) => purpose === "DMARC").status).toBe("VERIFIED")
    },
  )

  test("counts no key beside another one of its selector, as the domain had before it was added anew (RFC 6376, 3.6.2.2)", async () => {
    const { id, domain, records } = await add()
    dns.zone = zoneOf(records)
    expect((await verify(id)).verified).toBe(true)
    expect((await it.api(`DELETE /domains/${id}`)).status).toBe(204)
    const again = await add(domain)
    const [required] = again.records
    const name: string = required.name
    const zone = zoneOf(again.records)
    dns.zone = { ...zone, [name]: [...(zoneOf(records)[name] ?? []), ...(zone[name] ?? [])] }
    const both = await verify(again.id)
    expect([both.verified, both.records[0].status, both.records[0].found]).toEqual([
      false,
      "PENDING",
      [records[0].value, required.value],
    ])
    dns.zone = { ...zone, [name]: [["TXT", "proof=1", 1], ...(zone[name] ?? [])] }
    expect((await verify(again.id)).verified).toBe(true)
  })

  test("finds the DMARC record of a domain above, where the domain has none (contract B6.13; RFC 7489, 6.6.3)", async () => {
    const parent = `parent${++count}.test`
    const { id, records } = await add(`mail.eu.${parent}`)
    const own = `_dmarc.mail.eu.${parent}`
    const others = zoneOf(records.filter(({ purpose }: DnsRecord) => purpose !== "DMARC"))
    const found = async (zone: Zone) => {
      dns.zone = { ...others, ...zone }
      const { verified, records } = await verify(id)
      expect(verified).toBe(true)
      return records.find(({ purpose }: DnsRecord) => purpose === "DMARC").status
    }
    const above: Zone = { [`_dmarc.${parent}`]: [["TXT", "v=DMARC1; p=reject; sp=quarantine", 1]] }
    expect(await found({})).toBe("PENDING")
    expect(await found({ "_dmarc.test": [["TXT", "v=DMARC1; p=reject", 1]] })).toBe("PENDING")
    expect(await found(above)).toBe("VERIFIED")
    expect(await found({ ...above, [own]: [["TXT", "proof=1", 1]] })).toBe("VERIFIED")
    expect(await found({ ...above, [own]: [["TXT", "v=DMARC1; p=yes", 1]] })).toBe("PENDING")
  })

  test("fails after 72 hours without success, and continues", async () => {
    const { id, records } = await add()
    dns.zone = {}
    expect((await verify(id)).status).toBe("PENDING")
    await it.advance({ hours: 71, minutes: 59 })
    expect((await find(id)).status).toBe("PENDING")
    await it.advance({ minutes: 6 })
    expect(await find(id)).toMatchObject({ verified: false, status: "FAILED" })
    dns.zone = zoneOf(records)
    await it.advance({ minutes: 6 })
    expect(await find(id)).toMatchObject({ verified: true, status: "VERIFIED" })
  })

  test("fails after 72 hours also when the clock was ahead as the domain was added (contract B6.1)", async () => {
    dns.zone = {}
    it.clock.jump(30 * day)
    const { id } = await add()
    it.clock.jump(-30 * day)
    await it.advance({ minutes: 6 })
    expect((await find(id)).status).toBe("PENDING")
    await it.advance({ days: 3 })
    await it.advance({ minutes: 6 })
    expect((await find(id)).status).toBe("FAILED")
  })

  test("is not found for a domain of another project (contract A1.1.2)", async () => {
    const other = await it.app.projects.create("Other")
    const { id } = await add()
    for (const route of [`GET /domains/${id}/verify`, `DELETE /domains/${id}`]) {
      const { status, body } = await it.api(route, { key: other.secret })
      expect([status, body.error.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
    }
    expect((await it.api("GET /domains/x/verify")).status).toBe(404)
  })
})

describe("The domains of a project (contract B6.3)", () => {
  test("are listed newest first, for `current` or the project's own id", async () => {
    const project = await it.app.projects.create("Listed")
    const key = project.secret
    const names = ["one.test", "two.test", "three.test"]
    for (const domain of names) await it.api("POST /domains", { key, body: { domain } })
    for (const which of ["current", project.id]) {
      const { status, body } = await it.api(`GET /domains/project/${which}`, { key })
      expect([status, body.map(({ domain }: { domain: string }) => domain)]).toEqual([200, [...names].reverse()])
    }
    expect((await it.api(`GET /domains/project/${it.project.id}`, { key })).status).toBe(404)
  })

  test("are visible to members, and changed by admins (contract B6.7)", async () => {
    const owner = await signUp(it, "owner@acme.test")
    const { body: project } = await owner.api("POST /users/@me/projects", { body: { name: "Mine" } })
    const member = await signUp(it, "member@acme.test")
    await owner.api(`POST /projects/${project.id}/members`, { body: { email: "member@acme.test" } })
    const { body: added } = await owner.api("POST /domains", { project: project.id, body: { domain: "mine2.test" } })
    const asMember = (route: string, body?: object) => member.api(route, { project: project.id, ...(body && { body }) })
    expect((await asMember(`GET /domains/project/${project.id}`)).body).toHaveLength(1)
    expect((await asMember(`GET /domains/${added.id}/verify`)).status).toBe(200)
    expect((await asMember("POST /domains", { domain: "no.test" })).body.error.code).toBe("FORBIDDEN")
    expect((await asMember(`DELETE /domains/${added.id}`)).body.error.code).toBe("FORBIDDEN")
    const foreign = await asMember(`GET /domains/project/${(await it.app.projects.create("Foreign")).id}`)
    expect([foreign.status, foreign.body.error.code]).toEqual([403, "PROJECT_ACCESS_DENIED"])
    expect((await owner.api(`DELETE /domains/${added.id}`, { project: project.id })).status).toBe(204)
  })
})

describe("DELETE /domains/{id} (contract B6.6)", () => {
  test("removes it, and a scheduled campaign that sends from it prevents that", async () => {
    const { id, domain, records } = await add()
    dns.zone = zoneOf(records)
    await verify(id)
    const body = { name: "News", subject: "News", body: "<p>News</p>", from: `news@${domain}`, audienceType: "ALL" }
    const { body: made } = await it.api("POST /campaigns", { body })
    await it.api(`POST /campaigns/${made.data.id}/send`, { body: { scheduledFor: "2030-01-01" } })
    const refused = await it.api(`DELETE /domains/${id}`)
    expect([refused.status, refused.body.error.code]).toEqual([409, "CONFLICT"])
    expect((await find(id)).inUse).toBe(true)
    await it.api(`POST /campaigns/${made.data.id}/cancel`)
    expect((await find(id)).inUse).toBe(false)
    expect((await it.api(`DELETE /domains/${id}`)).status).toBe(204)
    expect(await find(id)).toBeUndefined()
    expect((await it.api(`DELETE /domains/${id}`)).status).toBe(404)
  })
})

test("In the sandbox a domain is verified at once, without a lookup (contract B6.7)", async () => {
  const sandbox = await startTestApp({ mode: "sandbox", settings: { "dns.servers": dns.address } })
  const asked = dns.queries.length
  const { body } = await sandbox.api("POST /domains", { body: { domain: "any.test" } })
  expect(body).toMatchObject({ verified: true, status: "VERIFIED" })
  expect(new Set(Object.values(statuses(body)))).toEqual(new Set(["VERIFIED"]))
  expect((await sandbox.api(`GET /domains/${body.id}/verify`)).body).toEqual(body)
  expect(dns.queries.length).toBe(asked)
  await sandbox.close()
})
