import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { eq } from "drizzle-orm"
import { dkimKeyTable } from "../../src/modules/domains/table.ts"
import { password, signUp } from "../harness/accounts.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { beforeNextWrite } from "../harness/before-write.ts"
import { runCommand } from "../harness/commands.ts"
import { type DnsServer, startDnsServer } from "../harness/dns-server.ts"
import { type DnsRecord, zoneOf } from "../harness/domains.ts"

let it: TestApp
let dns: DnsServer

beforeAll(async () => {
  dns = await startDnsServer()
  it = await startTestApp({ settings: { "dns.servers": dns.address } })
})
afterAll(async () => {
  await it.close()
  await dns.stop()
})

interface Shown {
  readonly id: string
  readonly domain: string
  readonly verified: boolean
  readonly dkimTokens: readonly string[]
  readonly records: readonly DnsRecord[]
}

let count = 0

/** A domain whose records are published. */
async function published(): Promise<Shown> {
  const { body } = await it.api("POST /domains", { body: { domain: `keys${++count}.test` } })
  dns.zone = zoneOf(body.records)
  return verify(body.id)
}
const verify = async (id: string): Promise<Shown> => (await it.api(`GET /domains/${id}/verify`)).body
const rotate = async (id: string): Promise<Shown> => (await it.api(`POST /domains/${id}/rotate-key`)).body

/** The DKIM records: selector, rotation, whether required, and state. */
const keysOf = ({ records }: Shown) =>
  records
    .filter(({ purpose }) => purpose === "DKIM")
    .map(({ name, rotation, required, status }) => [name.split(".")[0], rotation ?? "active", required, status])

/** The selectors and algorithms of the signatures of a mail that is sent now. */
async function signatures({ domain }: Shown): Promise<string[]> {
  const body = { to: "ada@x.test", from: `hi@${domain}`, subject: "Hi", body: "<p>Hi</p>" }
  expect((await it.api("POST /v1/send", { body })).status).toBe(200)
  await it.settle()
  const mime = new TextDecoder().decode(it.sent().at(-1)?.mime()).replaceAll("\r\n ", " ")
  return [...mime.matchAll(/^DKIM-Signature: .*?a=(\w+)-sha256;.*? s=(\w+);/gm)].map(([, a, s]) => `${s} ${a}`)
}

describe("New DKIM keys of a domain (contract B6.9, B6.10)", () => {
  test("are not made for one that is deleted meanwhile", async () => {
    const { id } = await published()
    beforeNextWrite(it, () => it.api(`DELETE /domains/${id}`))
    const { status, body } = await it.api(`POST /domains/${id}/rotate-key`)
    expect([status, body.error.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
  })

  test("are shown beside the present ones, which sign until the new ones are found", async () => {
    const before = await published()
    const rotated = await rotate(before.id)
    expect(rotated).toMatchObject({ verified: true, dkimTokens: ["ms1", "ms2", "ms3", "ms4"] })
    expect(keysOf(rotated)).toEqual([
      ["ms1", "active", true, "VERIFIED"],
      ["ms2", "active", false, "VERIFIED"],
      ["ms3", "next", false, "PENDING"],
      ["ms4", "next", false, "PENDING"],
    ])
    expect(new Set(rotated.records.map(({ value }) => value)).size).toBe(rotated.records.length)
    await it.advance({ hours: 1 })
    expect(await signatures(before)).toEqual(["ms1 rsa", "ms2 ed25519"])

    dns.zone = zoneOf(rotated.records)
    await it.advance({ minutes: 6 })
    const [listed] = (await it.api("GET /domains/project/current")).body
    expect(keysOf(listed)).toEqual([
      ["ms3", "active", true, "VERIFIED"],
      ["ms4", "active", false, "VERIFIED"],
      ["ms1", "old", false, "VERIFIED"],
      ["ms2", "old", false, "VERIFIED"],
    ])
    expect(listed).toMatchObject({ verified: true, dkimTokens: ["ms3", "ms4"] })
    expect(await signatures(before)).toEqual(["ms3 rsa", "ms4 ed25519"])

    dns.zone = zoneOf(listed.records.filter(({ rotation }: DnsRecord) => rotation === undefined))
    expect(keysOf(await verify(before.id)).map(([selector]) => selector)).toEqual(["ms3", "ms4"])
  })

  test("take over when only their records are left, and the domain stays verified", async () => {
    const before = await published()
    const { records } = await rotate(before.id)
    dns.zone = zoneOf(records.filter(({ name }) => !/^ms[12]\./.test(name)))
    const after = await verify(before.id)
    expect(after.verified).toBe(true)
    expect(keysOf(after)).toEqual([
      ["ms3", "active", true, "VERIFIED"],
      ["ms4", "active", false, "VERIFIED"],
    ])
  })

  test("take over with the RSA key alone, never with the Ed25519 key alone", async () => {
    const before = await published()
    const { records } = await rotate(before.id)
    const without = (selector: string) => zoneOf(records.filter(({ name }) => !name.startsWith(`${selector}.`)))
    dns.zone = without("ms3")
    expect(keysOf(await verify(before.id))[0]).toEqual(["ms1", "active", true, "VERIFIED"])
    expect(await signatures(before)).toEqual(["ms1 rsa", "ms2 ed25519"])
    dns.zone = without("ms4")
    await verify(before.id)
    expect(await signatures(before)).toEqual(["ms3 rsa"])
  })

  test("change nothing while no server answers", async () => {
    const before = await published()
    const rotated = await rotate(before.id)
    dns.zone = zoneOf(rotated.records)
    dns.always("servfail")
    expect(await verify(before.id)).toEqual(rotated)
    dns.always(undefined)
    expect(keysOf(await verify(before.id))[0]?.[0]).toBe("ms3")
  })

  test("are seen by many checks at once, and taken once", async () => {
    const before = await published()
    dns.zone = zoneOf((await rotate(before.id)).records)
    await Promise.all([1, 2, 3, 4].map(() => verify(before.id)))
    expect(keysOf(await verify(before.id)).map(([selector, state]) => `${selector} ${state}`)).toEqual([
      "ms3 active",
      "ms4 active",
      "ms1 old",
      "ms2 old",
    ])
  })

  test("are made once at a time; the next ones have other selectors and end the display of the oldest", async () => {
    const before = await published()
    const first = await rotate(before.id)
    const again = await it.api(`POST /domains/${before.id}/rotate-key`)
    expect([again.status, again.body.error.code]).toEqual([409, "CONFLICT"])
    dns.zone = zoneOf(first.records)
    await verify(before.id)
    const second = await rotate(before.id)
    expect(keysOf(second).map(([selector, state]) => `${selector} ${state}`)).toEqual([
      "ms3 active",
      "ms4 active",
      "ms5 next",
      "ms6 next",
    ])
  })

  test("are not made by `doctor`, which changes nothing (contract A8.1)", async () => {
    const { id, domain } = await it.app.domains.add(it.project.id, "inspected.test", { vouched: true })
    const { domains } = await it.app.domains.inspect(1_000)
    expect(domains.map((each) => each.domain)).toContain(domain)
    expect(await it.app.store.read.select().from(dkimKeyTable).where(eq(dkimKeyTable.domainId, id))).toEqual([])
  })

  test("are for domains whose mail is signed here, of the own project, and for admins (contract B6.7)", async () => {
    const { id } = await it.app.domains.add(it.project.id, "vouched.test", { vouched: true })
    const vouched = await it.api(`POST /domains/${id}/rotate-key`)
    expect([vouched.status, vouched.body.error.code]).toEqual([409, "CONFLICT"])
    const other = await it.app.projects.create("Other")
    const mine = await published()
    const foreign = await it.api(`POST /domains/${mine.id}/rotate-key`, { key: other.secret })
    expect([foreign.status, foreign.body.error.code]).toEqual([404, "RESOURCE_NOT_FOUND"])
  })

  test("of many domains of one project hold up neither sign-ins nor another project", async () => {
    const owner = await signUp(it, "turns@acme.test")
    const other = await it.app.projects.create("Other")
    let made = 0
    const add = async (domain: string, key = it.project.secret) => {
      expect((await it.api("POST /domains", { key, body: { domain } })).status).toBe(201)
    }
    const many = Array.from({ length: 24 }, (_, at) => add(`many${at}.test`).then(() => made++))
    await Promise.race(many)
    const others = [
      owner.api("POST /auth/reauthenticate", { body: { password } }).then(({ status }) => [status, made < 12]),
      add("turns.test", other.secret).then(() => [201, made < 12]),
    ]
    expect(await Promise.all(others)).toEqual([
      [200, true],
      [201, true],
    ])
    await Promise.all(many)
  })

  test("are made by the command line too (contract A8.1)", async () => {
    const { id, domain } = await published()
    const rotate = (name: string) => runCommand(it, `domain rotate-key ${name} --project ${it.project.id}`)
    const { code, json } = await rotate(domain.toUpperCase())
    expect([code, json.id]).toEqual([0, id])
    expect(keysOf(json)).toContainEqual(["ms3", "next", false, "PENDING"])
    expect(await rotate(domain)).toMatchObject({ code: 1, stderr: expect.stringContaining("new keys already") })
    expect(await rotate("unknown.test")).toMatchObject({ code: 1, stderr: expect.stringContaining("Domain not found") })
  })

  test("are in the audit log with who made them, without the keys", async () => {
    const owner = await signUp(it, "keys@acme.test")
    const { body: project } = await owner.api("POST /users/@me/projects", { body: { name: "Mine" } })
    const { body: added } = await owner.api("POST /domains", { project: project.id, body: { domain: "audit.test" } })
    await owner.api(`POST /domains/${added.id}/rotate-key`, { project: project.id })
    const { body } = await owner.api(`GET /projects/${project.id}/audit`)
    const entry = body.data.find(({ action }: { action: string }) => action === "domain.keys_rotated")
    expect(entry).toMatchObject({
      actor: "keys@acme.test",
      details: { domain: "audit.test", selectors: ["ms3", "ms4"] },
    })
    expect(JSON.stringify(entry)).not.toMatch(/PRIVATE|MII/)
  })
})

describe("`domain add --verified` for a domain that is registered (contract A8.1)", () => {
  const vouch = (domain: string) => runCommand(it, `domain add ${domain} --verified --project ${it.project.id}`)
  const find = async ({ id }: Shown) =>
    (await it.api("GET /domains/project/current")).body.find((domain: Shown) => domain.id === id)

  test("and verified by its records is refused, and its mail goes on being signed", async () => {
    const before = await published()
    expect(before.verified).toBe(true)
    const { code, stdout, stderr } = await vouch(before.domain)
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toBe(
      `mailstead: ${before.domain} is verified by its DNS records, and nothing needs to be done. To take your word instead, with which its mail is not signed, delete it first in the dashboard or by DELETE /domains/${before.id}.\n`,
    )
    expect(await find(before)).toEqual(before)
    expect(await signatures(before)).toEqual(["ms1 rsa", "ms2 ed25519"])
  })

  test("and waits for its records takes the word", async () => {
    const { body: before } = await it.api("POST /domains", { body: { domain: "waiting.test" } })
    const { code, json } = await vouch("waiting.test")
    expect([code, json.id, json.verified]).toEqual([0, before.id, true])
  })

  test("and vouched for changes nothing, and one that was deleted may be vouched for", async () => {
    const deleted = await published()
    await it.api(`DELETE /domains/${deleted.id}`)
    const first = await vouch(deleted.domain)
    expect([first.code, first.json.verified]).toEqual([0, true])
    expect((await vouch(deleted.domain)).json).toEqual(first.json)
  })
})
