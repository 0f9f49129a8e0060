import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { runTool } from "../bench/tools/process.ts"
import { testCertificate } from "../harness/certificate.ts"
import { type IncomingApp, startIncomingApp } from "../harness/incoming.ts"
import { connectSmtp } from "../harness/smtp-client.ts"
import { scratch } from "../harness/store.ts"

const folder = scratch()
let at: string
let shop: IncomingApp

beforeAll(async () => {
  at = folder()
  writeFileSync(join(at, "cert.pem"), testCertificate.cert)
  writeFileSync(join(at, "key.pem"), testCertificate.key)
  shop = await startIncomingApp({ settings: { "smtp.submission_port": "587" } })
})
afterAll(() => shop[Symbol.asyncDispose]())

const crlf = (text: string): string => text.replace(/\r?\n/g, "\r\n")

/** Runs openssl on S/MIME in this text. */
async function cms(text: string, ...options: string[]): Promise<string> {
  writeFileSync(join(at, "in.eml"), text)
  return runTool(["openssl", "cms", "-in", join(at, "in.eml"), ...options], "openssl")
}
const owner = () => ["-signer", join(at, "cert.pem"), "-inkey", join(at, "key.pem")]

/** Submits a message whose MIME fields and body these are; resolves to it as it leaves, and as the API shows it. */
async function submitted(entity: string) {
  const before = shop.it.sent().length
  const client = await connectSmtp(shop.ports.submission ?? 0)
  await client.reply()
  await client.say("EHLO client.test")
  await client.say(`AUTH PLAIN ${Buffer.from(`\0any\0${shop.it.project.secret}`).toString("base64")}`)
  await client.envelope("hello@shop.test", "ada@example.com")
  const content = `From: Shop <hello@shop.test>\r\nSubject: Contract\r\n${crlf(entity)}`
  const { text } = await client.data(content.trimEnd().replace(/^\./gm, ".."))
  client.drop()
  await shop.it.settle()
  const mime = new TextDecoder().decode(shop.it.sent()[before]?.mime())
  return { mime, email: (await shop.it.api(`GET /emails/${text.split(" ").at(-1)}`)).body }
}

const words = "Content-Type: text/plain\n\nWe agree, as of today.\n.\nFrom here on it holds.\n"

describe("mail that its sender has signed or encrypted (contract B9.6.8)", () => {
  test("by S/MIME arrives with a signature that openssl takes, and its text can be read", async () => {
    const { mime, email } = await submitted(await cms(words, "-sign", ...owner()))
    expect(mime).toMatch(/^From: Shop <hello@shop\.test>\r\nTo: /m)
    expect(await cms(mime, "-verify", "-noverify")).toContain(crlf("We agree, as of today.\n.\nFrom here on it holds."))
    expect(email.text).toContain("We agree, as of today.")
    expect(
      email.attachments.map(({ filename, disposition }: Record<string, string>) => [filename, disposition]),
    ).toEqual([
      ["smime.p7s", "attachment"],
      ["body.eml", "body"],
    ])
  })

  test("to an S/MIME certificate can be decrypted by openssl", async () => {
    const { mime } = await submitted(await cms(words, "-encrypt", "-aes256", join(at, "cert.pem")))
    expect(mime).toContain("smime-type=enveloped-data")
    const key = ["-recip", join(at, "cert.pem"), "-inkey", join(at, "key.pem")]
    expect(await cms(mime, "-decrypt", ...key)).toContain("We agree, as of today.")
  })

  test("by OpenPGP leaves as it came, with the fields that describe it and no others", async () => {
    const entity = [
      'Content-Type: multipart/signed; micalg=pgp-sha256;\r\n protocol="application/pgp-signature"; boundary="b"',
      "",
      "This is an OpenPGP/MIME signed message (RFC 4880 and 3156)",
      "--b",
      "Content-Type: text/plain",
      "",
      "- two  spaces,  and a\ttab ",
      "--b",
      "Content-Type: application/pgp-signature; name=signature.asc",
      "",
      "-----BEGIN PGP SIGNATURE-----",
      "--b--",
      "",
    ].join("\r\n")
    const { mime } = await submitted(entity)
    expect(mime.slice(mime.indexOf("MIME-Version"))).toBe(`MIME-Version: 1.0\r\n${entity}`)
  })

  test("and a report for programs, such as a receipt, leaves as it came, else no program finds it (RFC 6522)", async () => {
    const entity = [
      "Content-Type: multipart/report; report-type=disposition-notification; boundary=b",
      "",
      "--b",
      "",
      "It was read.",
      "--b",
      "Content-Type: message/disposition-notification",
      "",
      "Final-Recipient: rfc822;hello@shop.test",
      "Disposition: manual-action/MDN-sent-manually; displayed",
      "--b--",
      "",
    ].join("\r\n")
    const { mime, email } = await submitted(entity)
    expect(mime.slice(mime.indexOf("MIME-Version"))).toBe(`MIME-Version: 1.0\r\n${entity}`)
    expect(email.text).toContain("It was read.")
  })

  test.each([
    ["has characters beyond ASCII", "Größe"],
    ["has a line that servers may break", "a".repeat(999)],
  ])("is composed anew when it %s, since no signature of it would last", async (_, line) => {
    const parts = `--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${line}\r\n--b--\r\n`
    const { mime, email } = await submitted(`Content-Type: multipart/signed; boundary=b\r\n\r\n${parts}`)
    expect(mime).not.toContain("multipart/signed")
    expect(email.text.trim()).toBe(line)
  })
})
