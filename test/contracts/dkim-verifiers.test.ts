import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { generateKeyPairSync, type KeyObject } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { dkimVerify } from "mailauth/lib/dkim/verify"
import { compose, type Draft } from "../../src/mail/compose.ts"
import { dkimSigner } from "../../src/mail/dkim.ts"
import { draftOf } from "./messages.ts"

/**
 * Mail of every shape, signed by us and verified by three programs that are not ours: mailauth, dkimpy, and the library
 * of opendkim-testmsg, with keys of a local zone.
 */

const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 })
const ed25519 = generateKeyPairSync("ed25519")
const spki = (key: KeyObject) => key.export({ type: "spki", format: "der" })
const zone = {
  "ms1._domainkey.shop.test": `v=DKIM1; k=rsa; p=${spki(rsa.publicKey).toString("base64")}`,
  "ms2._domainkey.shop.test": `v=DKIM1; k=ed25519; p=${spki(ed25519.publicKey).subarray(-32).toString("base64")}`,
}
const at = Date.UTC(2025, 0, 31)
const sign = dkimSigner({
  domain: "shop.test",
  keys: [
    { selector: "ms1", algorithm: "rsa", privateKey: rsa.privateKey },
    { selector: "ms2", algorithm: "ed25519", privateKey: ed25519.privateKey },
  ],
  at,
})

const bytes = (count: number) => Uint8Array.from({ length: count }, (_, index) => (index * 7 + (index >> 8)) % 256)
const attached = (filename: string, content: Uint8Array, contentId: string | null = null) => ({
  filename,
  contentType: "application/octet-stream",
  content,
  contentId,
  disposition: contentId === null ? ("attachment" as const) : ("inline" as const),
})

const heads: Partial<Draft>[] = [
  {},
  { subject: "Größe „XL“ – 日本語 🚀", from: { name: 'Łódź "Shop", Inc.', address: "hi@shop.test" } },
  { subject: "word ".repeat(150).trim(), to: { name: "Ada ".repeat(60).trim(), address: "ada@example.com" } },
  { subject: "", replyTo: "help@shop.test", headers: { "X-Note": "schöne Grüße", "Feedback-ID": "a:b:c:d" } },
  {
    subject: "a  b\tc : d; e=f",
    bulk: true,
    list: { name: 'Acme, "Inc."', campaignId: "c1" },
    listUnsubscribeUrl: `https://shop.test/unsubscribe/${"t".repeat(200)}`,
  },
  { headers: { "Reply-To": "Ä <a@shop.test>, b@shop.test", References: "<a@b.test> ".repeat(40).trim() } },
  { headers: { "X-Empty-Ish": " . ", "X-Long": "x".repeat(900) }, from: { name: "", address: "hi@shop.test" } },
  { subject: "=?utf-8?Q?not_a_word?=", to: { name: "=?x?=", address: "ada@example.com" } },
]

const bodies: Partial<Draft>[] = [
  {},
  { html: "", text: "" },
  { html: "<p>a</p>", text: "a  b \t \n\n\n  \n\n" },
  { html: "\n\n\n", text: "\n" },
  { html: `<p>${"x ".repeat(5_000)}</p>`, text: "y".repeat(2_000) },
  { html: "<p>Grüße, 你好 🎉</p>", text: "你好 🎉\nпривет" },
  { html: "\r\n.\r\n..\r\n<p>From here\rand\nthere</p>", text: ".\n..\n.dots\nFrom the start\n." },
  { html: `<p>${"ünï ".repeat(3_000)}</p>`, text: " \n leading\n\ttabs \t\n=3D stays =\n" },
]

const forwarded = Buffer.from("Subject: a  b\r\n c\r\n\r\n.\r\n..\r\n \t\r\nspaces  \r\n\r\n\r\n")

const files: Partial<Draft>[] = [
  {},
  { attachments: [attached("naïve „1“.bin", bytes(5_000))] },
  { attachments: [attached("logo.png", bytes(300), "logo@shop"), attached(`${"长".repeat(60)}.pdf`, bytes(70_000))] },
  { attachments: [attached("empty", new Uint8Array(0)), attached("dots.txt", Buffer.from(".\r\n.\r\n\r\n"))] },
  { attachments: [{ ...attached("old.eml", forwarded), contentType: "message/rfc822" }, attached("a.bin", bytes(9))] },
]

/** Every head with every body, with some of the attachments: 8 by 8 by 5, without each third. */
const drafts = heads
  .flatMap((head) => bodies.flatMap((body) => files.map((file) => ({ ...head, ...body, ...file }))))
  .filter((_, index) => index % 3 !== 2)

const messages = new Map<string, Uint8Array>()
const folder = mkdtempSync(join(tmpdir(), "mailstead-dkim-"))
let foreign: Record<"dkimpy" | "opendkim", Record<string, string[]>>

/** A Python that has dkimpy: that of the system, or another one. */
const python = () =>
  ["/usr/bin/python3", "python3"].find((one) => {
    const path = Bun.which(one)
    return path !== null && Bun.spawnSync([path, "-c", "import dkim, nacl"]).exitCode === 0
  })

beforeAll(async () => {
  for (const [index, parts] of drafts.entries())
    messages.set(`m${String(index).padStart(3, "0")}.eml`, compose(draftOf(parts), sign).mime())
  const whole = Buffer.from(messages.get("m000.eml") ?? []).toString("latin1")
  messages.set("x-body.eml", Buffer.from(`${whole.trimEnd()}x\r\n`, "latin1"))
  messages.set("x-subject.eml", Buffer.from(whole.replace("Subject: Your", "Subject: My"), "latin1"))
  messages.set("x-second-from.eml", Buffer.from(whole.replace("\r\nFrom:", "\r\nFrom: x@y.test\r\nFrom:"), "latin1"))
  for (const [name, mime] of messages) writeFileSync(join(folder, name), mime)
  const lines = Object.entries(zone).map(([name, record]) => `${name} ${record}\n`)
  writeFileSync(join(folder, "keys"), lines.join(""))
  const found = python()
  if (found === undefined)
    throw new Error("dkimpy is missing: install the package python3-dkim, or `pip install dkimpy`")
  const script = join(import.meta.dir, "dkim-verifiers.py")
  const { exitCode, stdout, stderr } = Bun.spawnSync([found, script, folder])
  if (exitCode !== 0) throw new Error(`The verifiers failed (package opendkim-tools has one): ${stderr}`)
  foreign = JSON.parse(stdout.toString())
}, 110_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const intact = () => [...messages.keys()].filter((name) => name.startsWith("m"))
const altered = () => [...messages.keys()].filter((name) => name.startsWith("x"))

/** The messages that do not have exactly these results. */
const others = (results: Record<string, string[]>, names: string[], wanted: string[]) =>
  names.filter((name) => JSON.stringify(results[name]) !== JSON.stringify(wanted)).map((name) => [name, results[name]])

async function byMailauth(): Promise<Record<string, string[]>> {
  const resolver = async (name: string): Promise<string[][]> => [[zone[name as keyof typeof zone] ?? ""]]
  const results: Record<string, string[]> = {}
  for (const [name, mime] of messages) {
    const found = await dkimVerify(Buffer.from(mime), { resolver, curTime: new Date(at) })
    results[name] = found.results.map((one) => `${one.selector} ${one.status.result === "pass" ? "pass" : "fail"}`)
  }
  return results
}

describe("200 mails of varied shapes (contract A7.1.4; RFC 6376, RFC 8463)", () => {
  test("are as many, and all different", () => {
    expect(intact().length).toBeGreaterThanOrEqual(200)
    expect(new Set([...messages.values()].map((mime) => Bun.hash(mime))).size).toBe(messages.size)
  })

  test("have two valid signatures according to mailauth, altered ones none", async () => {
    const results = await byMailauth()
    expect(others(results, intact(), ["ms1 pass", "ms2 pass"])).toEqual([])
    expect(others(results, altered(), ["ms1 fail", "ms2 fail"])).toEqual([])
  }, 110_000)

  test("have two valid signatures according to dkimpy, altered ones none", () => {
    expect(others(foreign.dkimpy, intact(), ["ms1 pass", "ms2 pass"])).toEqual([])
    expect(others(foreign.dkimpy, altered(), ["ms1 fail", "ms2 fail"])).toEqual([])
  })

  test("have two valid signatures according to OpenDKIM, altered ones none", () => {
    expect(others(foreign.opendkim, intact(), ["ms1 pass", "ms2 pass"])).toEqual([])
    expect(others(foreign.opendkim, altered(), ["ms1 fail", "ms2 fail"])).toEqual([])
  })
})
