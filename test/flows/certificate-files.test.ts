import { afterEach, beforeEach, expect, test } from "bun:test"
import { X509Certificate } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import net from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ConfigError, loadConfig } from "../../src/config.ts"
import { certificateAlertState, certificateStatus, smtpCertificateAlertState } from "../../src/tls/status.ts"
import { certificateAt, freePort } from "../harness/acme.ts"
import { startTestApp, type TestApp } from "../harness/app.ts"
import { renewedCertificate, testCertificate } from "../harness/certificate.ts"

let files: string
let it: TestApp | undefined
beforeEach(() => {
  files = mkdtempSync(join(tmpdir(), "mailstead-test-"))
  keep(testCertificate)
})
afterEach(async () => {
  await it?.close()
  it = undefined
  rmSync(files, { recursive: true, force: true })
})

function keep({ cert, key }: { cert: string; key: string }): void {
  writeFileSync(join(files, "cert.pem"), cert)
  writeFileSync(join(files, "key.pem"), key)
}

const settings = () => ({
  "http.domains": "localhost.example",
  "http.tls_host": "127.0.0.1",
  "http.tls_port": "0",
  "http.plain_port": "0",
  "http.tls_cert": join(files, "cert.pem"),
  "http.tls_key": join(files, "key.pem"),
})

const status = () => certificateStatus(loadConfig({ options: settings() }).config)

async function start(more: Record<string, string> = {}) {
  it = await startTestApp({ settings: { ...settings(), ...more } })
  const { publicPorts, smtp } = await it.app.start()
  return { app: it, tls: publicPorts?.tls ?? 0, smtp }
}

test("a certificate of the operator is used, and a new one within a minute, also by SMTP (contract A8.6.1, A8.6.2)", async () => {
  const port = await freePort()
  const { app, tls } = await start({ "smtp.secure_port": String(port) })
  expect([await certificateAt(tls), await certificateAt(port)].map(({ subject }) => subject)).toEqual([
    "CN=localhost",
    "CN=localhost",
  ])
  keep(renewedCertificate)
  await app.clock.advance(60_000)
  expect([await certificateAt(tls), await certificateAt(port)].map(({ subject }) => subject)).toEqual([
    "CN=renewed.test",
    "CN=renewed.test",
  ])
})

test("files that do not fit together are not used, and reported", async () => {
  const { app, tls } = await start()
  writeFileSync(join(files, "cert.pem"), renewedCertificate.cert)
  await app.clock.advance(60_000)
  expect((await certificateAt(tls)).subject).toBe("CN=localhost")
  expect(app.complaints.map(({ message }) => message)).toContain("The certificate cannot be read, the old one stays")
  const found = status()
  expect(found && certificateAlertState(found, Date.now())).toMatchObject({
    active: true,
    sentence: expect.stringMatching(/^The certificate for localhost\.example cannot be read: /),
  })
})

/** The settings with a new certificate for these names. */
function settingsFor(...names: string[]) {
  const [key, cert] = [join(files, "made.key"), join(files, "made.pem")]
  const options = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "90", "-subj", "/CN=x"]
  const alternatives = ["-addext", `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`]
  const made = Bun.spawnSync(["openssl", "req", "-x509", ...options, ...alternatives, "-keyout", key, "-out", cert])
  expect(made.exitCode).toBe(0)
  return { ...settings(), "http.tls_cert": cert, "http.tls_key": key }
}

test("a certificate for other names is reported (RFC 6125)", () => {
  const wild = settingsFor("*.shop.test", "shop.test")
  const problemOf = (domains: string) => {
    const found = certificateStatus(loadConfig({ options: { ...wild, "http.domains": domains } }).config)
    const state = found && certificateAlertState(found, Date.now())
    return state?.active ? state.sentence : null
  }
  for (const fit of ["shop.test", "mail.shop.test", "SHOP.test"]) expect(problemOf(fit)).toBeNull()
  for (const other of ["a.mail.shop.test", "workshop.test"])
    expect(problemOf(other)).toStartWith(
      `The certificate for ${other} cannot be used: it is for *.shop.test, shop.test.`,
    )
})

test("the operator is told a week before a certificate of theirs expires", () => {
  const own = { ...settingsFor("shop.test"), "http.domains": "shop.test" }
  const found = certificateStatus(loadConfig({ options: own }).config)
  if (found?.expiresAt === undefined) throw new Error("There is no certificate")
  const week = 7 * 86_400_000
  expect(certificateAlertState(found, found.expiresAt - week - 1)).toMatchObject({ active: false })
  const { active, sentence } = certificateAlertState(found, found.expiresAt - week + 1)
  expect([active, sentence]).toEqual([
    true,
    expect.stringMatching(/^The certificate for shop\.test expires on \d{4}-\d\d-\d\d\.$/),
  ])
  expect(certificateAlertState(found, found.expiresAt + 1).sentence).toContain(" expired on ")
})

test("and a week before that of SMTP does, which has files of its own", () => {
  const [cert, key] = [join(files, "cert.pem"), join(files, "key.pem")]
  const { smtp } = loadConfig({ options: { "smtp.tls_cert": cert, "smtp.tls_key": key } }).config
  const end = Date.parse(new X509Certificate(testCertificate.cert).validTo)
  const week = 7 * 86_400_000
  expect(smtpCertificateAlertState(smtp, end - week - 1)).toMatchObject({ active: false })
  expect(smtpCertificateAlertState(smtp, end - week + 1)).toMatchObject({
    active: true,
    sentence: `The certificate of SMTP in ${cert} expires on 2126-10-28: renew it, or programs will submit no mail.`,
  })
  expect(smtpCertificateAlertState(smtp, end)?.sentence).toContain(" expired on ")
  expect(smtpCertificateAlertState(loadConfig({ options: {} }).config.smtp, end)).toBeUndefined()
})

test("of a certificate that is renewed by itself the operator is told only when it has expired", () => {
  const status = { names: ["a.example"], isOwn: false, expiresAt: 1_000, problem: null, nextAttemptAt: undefined }
  expect(certificateAlertState(status, 999).active).toBe(false)
  expect(certificateAlertState(status, 1_001).active).toBe(true)
  expect(certificateAlertState({ ...status, expiresAt: undefined }, 1_001).active).toBe(false)
})

/** The key of the test certificate with a password, as this command of OpenSSL writes it. */
function encryptedKey(...command: string[]): string {
  const made = Bun.spawnSync(["openssl", ...command, "-passout", "pass:secret"], {
    stdin: Buffer.from(testCertificate.key),
  })
  expect(made.exitCode).toBe(0)
  return made.stdout.toString()
}

test.each([
  ["cannot be read", () => rmSync(join(files, "key.pem")), "KEY cannot be read: no such file or directory"],
  ["is no certificate", () => keep({ ...testCertificate, cert: "x" }), "CERT is no certificate in a PEM file"],
  ["is no key", () => keep({ ...testCertificate, key: "x" }), "KEY is no private key in a PEM file"],
  [
    "is the key of another certificate",
    () => keep({ ...testCertificate, key: renewedCertificate.key }),
    "the key KEY is not that of the certificate CERT; name two files that belong together",
  ],
  [
    "is an encrypted key",
    () => keep({ ...testCertificate, key: encryptedKey("pkcs8", "-topk8") }),
    "the key KEY is encrypted; name a file with the key as openssl pkey -in KEY writes it",
  ],
  [
    "is an encrypted key in the older form",
    () => keep({ ...testCertificate, key: encryptedKey("ec", "-aes128") }),
    "the key KEY is encrypted; name a file with the key as openssl pkey -in KEY writes it",
  ],
  [
    "is a chain in the wrong order",
    () => keep({ ...testCertificate, cert: `${renewedCertificate.cert}\n${testCertificate.cert}` }),
    "the key KEY is that of a later certificate in CERT; put the certificate of the server first",
  ],
])("a file that %s is a fault in the configuration", async (_, damage, message) => {
  damage()
  const refusal = await start().catch((cause) => cause)
  const named = message.replaceAll("KEY", join(files, "key.pem")).replace("CERT", join(files, "cert.pem"))
  expect(refusal).toBeInstanceOf(ConfigError)
  expect(refusal.faults).toEqual([{ path: "http.tls_cert, http.tls_key", message: named }])
})

test("so is an http.acme_ca that cannot be read", async () => {
  const { "http.tls_cert": _, "http.tls_key": __, ...rest } = settings()
  const path = join(files, "ca.pem")
  const refusal = await startTestApp({ settings: { ...rest, "http.acme_ca": path } }).catch((cause) => cause)
  expect(refusal.faults).toEqual([
    { path: "http.acme_ca", message: `${path} cannot be read: no such file or directory` },
  ])
})

test.each(["http.tls_port", "http.plain_port"])("a taken %s ends the start (contract A8.6.6)", async (setting) => {
  const other = net.createServer()
  const port = await new Promise<number>((resolve) =>
    other.listen(0, "127.0.0.1", () => resolve((other.address() as net.AddressInfo).port)),
  )
  const refusal = await start({ [setting]: String(port) }).catch(String)
  expect(refusal).toContain(
    `Cannot listen on 127.0.0.1:${port}: the port is in use. Stop the program that listens there, or name another port in ${setting}.`,
  )
  other.close()
})

test("the prefix of links is https at the first name, unless http.base_url says otherwise", async () => {
  const { app, tls } = await start()
  const { urls } = (await app.api("GET /config")).body as { urls: { api: string } }
  expect(urls.api).toBe(`https://localhost.example:${tls}`)
})
