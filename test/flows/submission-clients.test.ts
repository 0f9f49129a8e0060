import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { testCertificate } from "../harness/certificate.ts"
import { type IncomingApp, startIncomingApp } from "../harness/incoming.ts"

const folder = mkdtempSync(join(tmpdir(), "mailstead-clients-"))
let shop: IncomingApp

beforeAll(async () => {
  for (const [name, pem] of Object.entries(testCertificate)) writeFileSync(join(folder, `${name}.pem`), pem)
  shop = await startIncomingApp({
    settings: {
      "smtp.submission_port": "587",
      "smtp.secure_port": "465",
      "smtp.tls_cert": join(folder, "cert.pem"),
      "smtp.tls_key": join(folder, "key.pem"),
    },
  })
})
afterAll(async () => {
  await shop[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const python = `
import smtplib, ssl, sys
from email.message import EmailMessage
port, key, kind = sys.argv[1:]
context = ssl._create_unverified_context()
server = smtplib.SMTP_SSL("127.0.0.1", port, context=context) if kind == "tls" else smtplib.SMTP("127.0.0.1", port)
if kind == "starttls":
    server.starttls(context=context)
server.login("python", key)
message = EmailMessage()
message["From"] = "Büro <app@shop.test>"
message["To"] = "ada@example.com"
message["Subject"] = "From a program – ümlaut"
message.set_content("Grüße")
message.add_attachment(b"1,2", maintype="text", subtype="csv", filename="zahlen–1.csv")
server.send_message(message)
server.quit()
`
const mail = "From: app@shop.test\nTo: ada@example.com\nSubject: From a program – ümlaut\n\nGrüße\n"

type Ports = Readonly<Record<"submission" | "secure", string>>
/** The command lines of foreign clients, each with what it reads. */
const clients: Record<string, (ports: Ports, key: string) => { command: string[]; input?: string }> = {
  "smtplib of Python, STARTTLS": ({ submission }, key) => ({
    command: ["python3", "-c", python, submission, key, "starttls"],
  }),
  "smtplib of Python, TLS": ({ secure }, key) => ({ command: ["python3", "-c", python, secure, key, "tls"] }),
  "swaks, STARTTLS and AUTH LOGIN": ({ submission }, key) => ({
    command: [
      ...["swaks", "--server", `127.0.0.1:${submission}`, "--tls", "--auth", "LOGIN", "--auth-user", "swaks"],
      ...["--auth-password", key, "--from", "app@shop.test", "--to", "ada@example.com", "--data", "-"],
    ],
    input: mail,
  }),
  "msmtp, TLS": ({ secure }, key) => ({
    command: [
      ...["msmtp", "--host=127.0.0.1", `--port=${secure}`, "--tls=on", "--tls-starttls=off", "--tls-certcheck=off"],
      ...["--auth=plain", "--user=cron", `--passwordeval=echo ${key}`, "--from=app@shop.test", "ada@example.com"],
    ],
    input: mail,
  }),
}

test.each(Object.entries(clients))("%s submits a message", async (_, client) => {
  const { submission, secure } = shop.ports
  const before = shop.it.sent().length
  const { command, input = "" } = client(
    { submission: String(submission), secure: String(secure) },
    shop.it.project.secret,
  )
  const child = Bun.spawn(command, { stdin: Buffer.from(input), stdout: "pipe", stderr: "pipe" })
  const printed = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  if ((await child.exited) !== 0) throw new Error(printed.join("\n"))
  await shop.it.settle()
  const [message, ...others] = shop.it.sent().slice(before)
  expect(others).toEqual([])
  expect(message?.envelope.to).toBe("ada@example.com")
  expect(message?.subject).toBe("From a program – ümlaut")
  expect(message?.text?.trim()).toBe("Grüße")
})
