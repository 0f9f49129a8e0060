import type { Outgoing } from "../../src/mail/transport.ts"
import type { Project } from "../../src/modules/projects/index.ts"
import type { ApiAnswer, ApiCall } from "./api.ts"
import type { TestApp } from "./app.ts"
import { createTemplate } from "./templates.ts"

/** A sent mail with its links, which are paths of this server in the order of the message. */
export interface TrackedMail {
  readonly id: string
  readonly contactId: string
  readonly message: Outgoing
  readonly image: string | undefined
  readonly clicks: readonly string[]
  readonly unsubscribe: string
  readonly subscribe: string
  readonly manage: string
}

interface TrackedMailOptions {
  readonly to?: string
  readonly type?: "MARKETING" | "TRANSACTIONAL" | "HEADLESS"
  readonly body?: string
  readonly data?: object
}

const everyLink = `<p><a href="https://acme.test/one?a=1&amp;b=2">One</a> <a href="https://acme.test/two">Two</a>
<a href="{{unsubscribeUrl}}">U</a> <a href="{{subscribeUrl}}">S</a> <a href="{{manageUrl}}">M</a></p>`

/** Sends a mail by a template, and resolves to it with its links. */
export async function sendTracked(it: TestApp, options: TrackedMailOptions = {}): Promise<TrackedMail> {
  const { to = "ada@example.com", type = "MARKETING", body = everyLink, data } = options
  const template = await createTemplate(it, { type, body })
  const sent = await it.api("POST /v1/send", { body: { to, template: template.id, subscribed: true, data } })
  if (sent.status !== 200) throw new Error(JSON.stringify(sent.body))
  await it.settle()
  const [{ email: id, contact }] = sent.body.data.emails
  const message = it.sent().find((one) => one.id === id)
  if (message === undefined) throw new Error(`${id} has not left.`)
  const page = (kind: string) => pathsIn(message.html, kind)[0] ?? ""
  return {
    id,
    contactId: contact.id,
    message,
    image: pathsIn(message.html, "t/o")[0],
    clicks: pathsIn(message.html, "t/c"),
    unsubscribe: page("unsubscribe"),
    subscribe: page("subscribe"),
    manage: page("manage"),
  }
}

export const pathsIn = (html: string, below: string): string[] =>
  [...html.matchAll(new RegExp(`"http://127\\.0\\.0\\.1:0(/${below}/[^"]+)"`, "g"))].map(([, path]) => path ?? "")

/** Requests like a recipient, without a key. */
export const visit = (it: TestApp, route: string, call: ApiCall = {}): Promise<ApiAnswer> =>
  it.api(route, { key: "none", ...call })

const urlencoded = { "Content-Type": "application/x-www-form-urlencoded" }

/** Sends a form as a browser does. */
export const submit = (it: TestApp, path: string, fields: Record<string, string> = {}): Promise<ApiAnswer> =>
  visit(it, `POST ${path}`, { raw: new URLSearchParams(fields).toString(), headers: urlencoded })

/** Changes the settings of the project. */
export async function setProject(
  { app, project }: TestApp,
  settings: Partial<Pick<Project, "tracking" | "language" | "name" | "publicResubscribe" | "postalAddress">>,
): Promise<void> {
  const actor = { userId: null, email: "test", address: null }
  await app.projects.settings.update(project.id, settings, actor)
}
