import { afterAll, afterEach, describe, expect, test } from "bun:test"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import type net from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SMTPServer, type SMTPServerAuthentication, type SMTPServerOptions } from "smtp-server"
import { testCertificate } from "../harness/certificate.ts"
import { buildTransport } from "./build.ts"
import { messageTo } from "./messages.ts"

const user = "relay-user@shop.test"
const password = "s3cret/pass word"
const opened: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

/** A server that is not ours. */
async function foreignServer(options: SMTPServerOptions) {
  const logins: SMTPServerAuthentication[] = []
  const server = new SMTPServer({
    logger: false,
    disableReverseLookup: true,
    ...testCertificate,
    onAuth(login, _session, done) {
      logins.push(login)
      const right =
        login.method === "XOAUTH2"
          ? login.accessToken === password
          : login.method === "CRAM-MD5"
            ? login.validatePassword(password)
            : login.password === password
      if (right && login.username === user) done(null, { user })
      else done(new Error("Invalid username or password"))
    },
    onData(stream, _session, done) {
      stream.on("data", () => {}).on("end", () => done())
    },
    ...options,
  })
  server.on("error", () => {})
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
  opened.push(() => new Promise((resolve) => server.close(() => resolve(undefined))))
  return { port: (server.server.address() as net.AddressInfo).port, logins }
}

async function sendTo(port: number, query: string, pass = password, scheme = "smtp") {
  const userinfo = `${encodeURIComponent(user)}:${encodeURIComponent(pass)}@`
  const { transport, send } = await buildTransport(`${scheme}://${userinfo}127.0.0.1:${port}?${query}`)
  opened.unshift(() => transport.close())
  return send(messageTo("ada@example.com"))
}

const methods = ["PLAIN", "LOGIN", "CRAM-MD5", "XOAUTH2"] as const

describe("the login at a foreign server", () => {
  test.each(methods)("works by %s, and its refusal is told", async (method) => {
    const { port, logins } = await foreignServer({ authMethods: [method] })
    expect((await sendTo(port, "insecure=true")).outcome).toBe("sent")
    expect(logins.map((login) => login.method)).toEqual([method])
    const refused = await sendTo(port, "insecure=true", "wrong password")
    expect(refused).toMatchObject({ outcome: "deferred", unreachable: true })
    expect(JSON.stringify(refused)).toMatch(/refuses the login: (?:535|500)/)
    expect(JSON.stringify(refused)).not.toContain("wrong password")
  })

  test("takes the mechanism of the URL", async () => {
    const { port, logins } = await foreignServer({ authMethods: [...methods] })
    for (const auth of ["plain", "login", "cram-md5", "xoauth2"])
      expect((await sendTo(port, `insecure=true&auth=${auth}`)).outcome).toBe("sent")
    expect(logins.map(({ method }) => method)).toEqual([...methods])
    // Its name is no secret.
    const refused = await sendTo(port, "insecure=true&auth=login", "wrong password")
    expect(JSON.stringify(refused)).toMatch(/refuses the login: (?:535|500)/)
  })

  test("does not show the password without TLS where the server allows that", async () => {
    const { port, logins } = await foreignServer({
      authMethods: [...methods],
      allowInsecureAuth: true,
      hideSTARTTLS: true,
    })
    expect((await sendTo(port, "")).outcome).toBe("sent")
    expect(logins.map(({ method }) => method)).toEqual(["CRAM-MD5"])
  })
})

describe("the certificate of a mail server", () => {
  const folder = mkdtempSync(join(tmpdir(), "mailstead-trust-"))
  afterAll(() => rmSync(folder, { recursive: true }))

  /** A certificate of another host, and its key. */
  function foreignCertificate() {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")]
    const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    const names = ["-subj", "/CN=other.test", "-addext", "subjectAltName=DNS:other.test,IP:192.0.2.1"]
    Bun.spawnSync(["openssl", "req", ...kind, ...names, "-keyout", key, "-out", cert])
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") }
  }

  /** In a process that trusts both certificates: the name is then what matters. */
  async function reasonsIn(urls: readonly string[], ...trusted: readonly string[]): Promise<string[]> {
    writeFileSync(join(folder, "ca.pem"), trusted.join("\n"))
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "../harness/smtp-send.ts"), ...urls], {
      env: { NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") },
      stdout: "pipe",
    })
    return JSON.parse(await new Response(child.stdout).text())
  }

  test("must be of the name in the URL, also after STARTTLS", async () => {
    const authless = { authOptional: true }
    const foreign = foreignCertificate()
    const [right, other] = [await foreignServer(authless), await foreignServer({ ...authless, ...foreign })]
    const secureRight = await foreignServer({ ...authless, secure: true })
    const secureOther = await foreignServer({ ...authless, ...foreign, secure: true })
    const urls = [
      `smtp://127.0.0.1:${right.port}?tls=required`,
      `smtp://localhost:${right.port}?tls=required`,
      `smtps://127.0.0.1:${secureRight.port}`,
      `smtp://127.0.0.1:${other.port}?tls=required`,
      `smtp://localhost:${other.port}?tls=required`,
      `smtps://127.0.0.1:${secureOther.port}`,
      `smtps://localhost:${secureOther.port}`,
    ]
    const wrong = expect.stringMatching(/certificate is not trusted/)
    expect(await reasonsIn(urls, testCertificate.cert, foreign.cert)).toEqual([
      "sent",
      "sent",
      "sent",
      wrong,
      wrong,
      wrong,
      wrong,
    ])
  })

  test("is asked for by the name in the URL (SNI)", async () => {
    const asked: string[] = []
    const SNICallback: SMTPServerOptions["SNICallback"] = (name, done) => {
      asked.push(name)
      done(null)
    }
    const { port } = await foreignServer({ authOptional: true, SNICallback })
    const { transport, send } = await buildTransport(`smtp://localhost:${port}?insecure=true`)
    opened.unshift(() => transport.close())
    expect((await send(messageTo("ada@example.com"))).outcome).toBe("sent")
    expect(asked).toEqual(["localhost"])
  })
})
