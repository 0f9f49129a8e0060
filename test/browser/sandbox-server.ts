import { rmSync } from "node:fs"
import { createTransport } from "nodemailer"
import { createApp } from "../../src/app.ts"
import { loadConfig, type Settings } from "../../src/config.ts"
import { dashboard } from "../harness/dashboard.ts"
import { newDataFolder } from "../harness/data-folder.ts"
import { sharedByApps } from "../harness/shared-by-apps.ts"
import type { Address } from "./address.ts"

export interface Mail {
  subject: string
  to?: string
  /** Only for mail by SMTP. */
  cc?: string
  bcc?: string
  toName?: string
  from?: string
  fromName?: string
  html?: string
  /** For mail by SMTP, which has no HTML unless it is given; for mail by API the text is made from the HTML. */
  text?: string
  by?: "api" | "smtp"
  /** Custom fields of the recipient. */
  data?: Record<string, unknown>
  /** Sent from a stored template of this name. */
  template?: string
  /** Content in base64; one with a content id is inline. */
  attachments?: readonly { filename: string; contentType: string; content: string; contentId?: string }[]
}

export interface TestServer {
  readonly url: string
  readonly projects: readonly { readonly id: string; readonly name: string; readonly secret: string }[]
  /**
   * Sends a mail in the first project, or the one at the given index; resolves once it is stored, with its id if sent
   * by API.
   */
  sendMail(mail: Mail, project?: number): Promise<string>
  /** Has a message come in by SMTP as it is; without a sender when `from` is empty. */
  sendRaw(message: string, from?: string): Promise<void>
  stop(): Promise<void>
}

/** The real sandbox with its own temporary store, served at this address until it stops. */
export async function startSandbox(options: {
  projects: number
  address: Address
  settings?: Settings
}): Promise<TestServer> {
  const { url } = options.address
  const folder = newDataFolder("sandbox")
  const { config } = loadConfig({
    mode: "sandbox",
    options: {
      data: folder,
      "http.port": "0",
      "http.base_url": url,
      "smtp.submission_port": "0",
      "limits.requests_per_minute": "0",
      ...options.settings,
    },
  })
  const app = await createApp(config, { dashboard, ...sharedByApps })
  const { submission: smtpPort } = (await app.start()).smtp
  const takeBack = options.address.lendTo(app.fetch)
  for (let extra = 1; extra < options.projects; extra++) await app.projects.create(`Project ${extra + 1}`)
  const projects = await app.projects.list()

  async function sendMail(mail: Mail, place = 0): Promise<string> {
    const project = projects[place]
    if (!project) throw new Error(`no project ${place}`)
    if (mail.by === "smtp") return sendBySmtp(mail, smtpPort ?? 0)
    const template = mail.template ? await addTemplate(project.secret, mail.template) : undefined
    const { to = "ada@example.com", toName, from = "hello@shop.test", fromName, subject, html = "<p>Hello</p>" } = mail
    const answer = await fetch(`${url}/v1/send`, {
      method: "POST",
      headers: { Authorization: `Bearer ${project.secret}`, "Content-Type": "application/json" },
      body: JSON.stringify({
        to: toName ? { name: toName, email: to } : to,
        from: fromName ? { name: fromName, email: from } : from,
        subject,
        body: html,
        data: mail.data,
        template,
        attachments: mail.attachments?.map((file) => (file.contentId ? { ...file, disposition: "inline" } : file)),
      }),
    })
    const body = await answer.json()
    if (!answer.ok) throw new Error(JSON.stringify(body))
    await app.settle()
    return body.data.emails[0].email
  }

  async function addTemplate(secret: string, name: string): Promise<string> {
    const answer = await fetch(`${url}/templates`, {
      method: "POST",
      headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
      body: JSON.stringify({ name, subject: name, body: "<p></p>", from: "hello@shop.test", type: "TRANSACTIONAL" }),
    })
    return (await answer.json()).id
  }

  return {
    url,
    projects: projects.map(({ id, name, secret }) => ({ id, name, secret })),
    sendMail,
    async sendRaw(raw, from = "sender@shop.test") {
      const envelope = { from, to: "ada@example.com" }
      await createTransport({ host: "127.0.0.1", port: smtpPort ?? 0 }).sendMail({ raw, envelope })
    },
    async stop() {
      await takeBack()
      await app.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function sendBySmtp(mail: Mail, port: number): Promise<string> {
  const { to = "ada@example.com", cc, bcc, from = "hello@shop.test", subject, text = "Hello", html } = mail
  const attachments = mail.attachments?.map((file) => ({ ...file, encoding: "base64" }))
  const message = { from, to, cc, bcc, subject, text, html, attachments }
  const { response } = await createTransport({ host: "127.0.0.1", port }).sendMail(message)
  return response
}
