import { afterAll, beforeAll, expect, test } from "bun:test"
import { minute } from "../../src/kernel/clock.ts"
import { askedWhenToRenew, notObtained, obtained, startAcmeApp } from "../harness/acme.ts"
import { type Pebble, startPebble, zone } from "../harness/pebble.ts"

let pebble: Pebble
beforeAll(async () => {
  pebble = await startPebble()
})
afterAll(() => pebble?.stop())

test("Pebble issues a certificate for two names, and another one at its renewal (contract A8.6.1, A8.6.2)", async () => {
  await using it = await startAcmeApp(pebble)
  await it.logged(obtained)
  const first = await it.certificate()
  expect(first.subjectAltName?.split(", ").sort()).toEqual(["DNS:mail.example.com", "DNS:www.example.com"])
  expect(first.issuer).toContain("Pebble Intermediate CA")
  it.clock.jump(2 * minute)
  const directory = await (await fetch(pebble.directory, { tls: { rejectUnauthorized: false } })).json()
  // Debian's Pebble is older than RFC 9773.
  expect(await it.logged(askedWhenToRenew)).toMatchObject({ known: "renewalInfo" in directory })

  const lifetime = Date.parse(first.validTo) - Date.parse(first.validFrom)
  it.clock.jump(0.7 * lifetime)
  // Pebble's clock stays, so the new one is due by ours, too (contract A8.6.9).
  expect((await it.logged(notObtained)).reason).toMatch(/^The new certificate is valid from /)
  expect((await it.certificate()).serialNumber).not.toBe(first.serialNumber)
})

test("Pebble's reason is told when it cannot reach a name, and the next attempt succeeds (contract A8.6.3)", async () => {
  pebble.dns.zone = { ...zone, "www.example.com": [["A", "127.0.0.2"]] }
  await using it = await startAcmeApp(pebble)
  const { reason } = await it.logged(notObtained)
  expect(reason).toMatch(/^www\.example\.com: .+/)
  pebble.dns.zone = zone
  it.clock.jump(2 * minute)
  await it.logged(obtained)
})
