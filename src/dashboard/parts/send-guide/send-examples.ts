import type { Config } from "../../api/instance.ts"
import type { ProjectInView } from "../../context/session.ts"

interface SmtpAddress {
  readonly host: string
  readonly port: number
}

/**
 * The address of the SMTP listener, or null when it is off. `here` is the host of this page: the sandbox listens on the
 * same host, and its announced name need not resolve.
 */
export function smtpAddress({ sandbox, features }: Config, here: string): SmtpAddress | null {
  const { domain, ports } = features.smtp
  const port = ports?.submission
  return port ? { host: sandbox ? here : (domain ?? here), port } : null
}

/** The secret key of the project, if it may be shown. */
export const keyOf = ({ shownSecret }: Pick<ProjectInView, "shownSecret">): string => shownSecret ?? "sk_…"

export const curlCommand = (config: Config, project: ProjectInView, from: string): string =>
  `curl ${config.urls.api}/v1/send \\
  -H "Authorization: Bearer ${keyOf(project)}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "to": "ada@example.com",
    "from": { "name": "Shop", "email": "${from}" },
    "subject": "Your order is on its way",
    "body": "<h1>Hello {{name ?? there}}!</h1>",
    "data": { "name": "Ada" }
  }'`

export const nodeProgram = ({ host, port }: SmtpAddress, from: string): string =>
  `import { createTransport } from "nodemailer"

const mail = createTransport({ host: "${host}", port: ${port} })
await mail.sendMail({
  from: "Shop <${from}>",
  to: "ada@example.com",
  subject: "Your order is on its way",
  html: "<h1>Hello Ada!</h1>",
})`

export const swaksCommand = ({ host, port }: SmtpAddress, from: string): string =>
  `swaks --server ${host}:${port} \\
  --from ${from} --to ada@example.com \\
  --header "Subject: Your order is on its way" \\
  --body "Hello Ada!"`

export const sampleMessage = {
  to: { name: "Ada Lovelace", email: "ada@example.com" },
  from: { name: "Mailstead", email: "hello@mailstead.test" },
  subject: "It works, {{name}}",
  body: `<!doctype html>
<html lang="en">
  <body style="margin:0;padding:32px 16px;background:#f5f5f3;font-family:system-ui,sans-serif;color:#1f1f25">
    <table role="presentation" align="center" width="100%" style="max-width:520px;background:#fff;border-radius:14px">
      <tr><td style="padding:36px 36px 8px"><h1 style="margin:0;font-size:22px">It works, {{name}}.</h1></td></tr>
      <tr><td style="padding:8px 36px 36px;line-height:1.6">
        <p>This mail went through the API of this server, with the key of your project, and came to rest here.
        Nothing has left the machine.</p>
        <p>Point your program at it next: everything it sends will show up in this inbox.</p>
      </td></tr>
    </table>
  </body>
</html>`,
  data: { name: { value: "Ada", persistent: false } },
} as const
