import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import tls from "node:tls"
import { testCertificate } from "../harness/certificate.ts"
import { startInstance } from "./tools/instance.ts"
import type { Figure } from "./tools/table.ts"

const connections = 8
const size = 10_240
const body = "Thank you for your order. We write again when it leaves.\r\n".repeat(Math.floor(size / 58))
const content = `From: app@acme.test\r\nTo: ada@example.com\r\nSubject: Order\r\n\r\n${body}.\r\n`

/** Submission by SMTP with TLS and a login, durable: eight clients that keep their connections. */
export async function submission(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "mailstead-submission-"))
  for (const [name, pem] of Object.entries(testCertificate)) writeFileSync(join(folder, `${name}.pem`), pem)
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  const it = await startInstance({
    MAILSTEAD_SMTP_SECURE_PORT: String(port),
    MAILSTEAD_SMTP_TLS_CERT: join(folder, "cert.pem"),
    MAILSTEAD_SMTP_TLS_KEY: join(folder, "key.pem"),
  })
  await load(port, it.project.secret, 1_000)
  const rate = await load(port, it.project.secret, 10_000)
  await it.end()
  rmSync(folder, { recursive: true })
  return [
    {
      what: "submission by SMTP with TLS and login, 10 KB, durable, 8 connections",
      value: `${Math.round(rate).toLocaleString("en")}/s`,
      target: ">= 1,000/s",
      met: rate >= 1_000,
      by: "bare TLS sockets",
    },
  ]
}

/** Messages per second. */
async function load(port: number, key: string, count: number): Promise<number> {
  const clients = await Promise.all(Array.from({ length: connections }, () => connect(port, key)))
  const started = performance.now()
  let left = count
  await Promise.all(
    clients.map(async (client) => {
      while (left-- > 0) {
        // The envelope is pipelined (RFC 2920).
        await client("MAIL FROM:<app@acme.test>\r\nRCPT TO:<ada@example.com>\r\nDATA\r\n", "354")
        await client(content, "250 2.0.0")
      }
    }),
  )
  const seconds = (performance.now() - started) / 1_000
  await Promise.all(clients.map((client) => client("QUIT\r\n", "221")))
  return count / seconds
}

/** Sends something and resolves at the line that begins with the last reply to it. */
type Client = (sent: string, last: string) => Promise<void>

async function connect(port: number, key: string): Promise<Client> {
  const socket = tls.connect({ port, host: "127.0.0.1", rejectUnauthorized: false })
  let received = ""
  let check = () => {}
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1")
    check()
  })
  const until = (last: string) =>
    new Promise<void>((resolve, reject) => {
      check = () => {
        if (/^[45]\d\d /m.test(received)) return reject(new Error(received))
        if (!new RegExp(`^${last}[^\\n]*\\n`, "m").test(received)) return
        received = ""
        resolve()
      }
      check()
    })
  await until("220")
  const client: Client = (sent, last) => {
    socket.write(sent)
    return until(last)
  }
  await client("EHLO bench.test\r\n", "250 ")
  await client(`AUTH PLAIN ${Buffer.from(`\0bench\0${key}`).toString("base64")}\r\n`, "235")
  return client
}
