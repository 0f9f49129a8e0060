import type { TestApp } from "./app.ts"

interface Sent {
  readonly mailFrom?: string
  readonly recipients?: readonly string[]
}

/** Has the sandbox receive a message as it would by SMTP; resolves to the id of its first email. */
export async function receiveInSandbox(
  { app, project }: TestApp,
  message: string,
  { mailFrom = "hi@shop.test", recipients = ["ada@example.com"] }: Sent = {},
): Promise<string> {
  const peer = { session: undefined, remoteAddress: "127.0.0.1", helo: "shop.test", secure: false }
  const envelope = { mailFrom, recipients, smtputf8: false }
  return (await app.sandbox?.intake(project.id, { ...peer, ...envelope, raw: Buffer.from(message) })) ?? ""
}
