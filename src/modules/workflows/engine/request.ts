import { iso } from "../../../kernel/clock.ts"
import { isObject } from "../../../kernel/json.ts"
import { parseUrl } from "../../../kernel/url.ts"
import { isShortOfTime, RenderFault, TemplateFault } from "../../../mail/render/index.ts"
import type { Db } from "../../../store/database.ts"
import type { Contacts } from "../../contacts/index.ts"
import type { Emails } from "../../emails/index.ts"
import type { Projects } from "../../projects/index.ts"
import type { Step } from "../table.ts"
import type { Calling } from "./call-store.ts"
import { findWorkflowById } from "./store.ts"
import { type RenderFacts, renderDeep, type TextRenderer, textRenderer } from "./variables.ts"

export interface WebhookRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** The names of those that are not of the config, so that they follow redirects (contract B5.8.2, B5.8.3). */
  readonly shared: readonly string[]
  readonly body?: string
}

interface RequestDeps {
  readonly projects: Pick<Projects, "find">
  readonly contacts: Pick<Contacts, "find">
  readonly emails: Pick<Emails, "localeOf">
  readonly renderer: TextRenderer
}

/**
 * Makes the request of a WEBHOOK step (contract B5.8.1, B5.8.2), or says why there is none. Throws a RenderFault for
 * the allowance of the project: it can be made later.
 */
export function createRequestBuilder({ projects, contacts, emails, renderer }: RequestDeps) {
  return async (db: Db, { execution, stepExecution, step }: Calling): Promise<WebhookRequest | { fault: string }> => {
    const workflow = await findWorkflowById(db, execution.workflowId)
    const project = await projects.find(execution.projectId)
    const contact = await contacts.find(db, execution.projectId, execution.contactId)
    if (workflow === undefined || project === undefined || contact === undefined)
      return { fault: "The contact or the workflow is gone." }
    const facts = { contact, context: execution.context, locale: emails.localeOf(contact, project) }
    try {
      const own = {
        contact: { id: contact.id, email: contact.email, subscribed: contact.subscribed, data: contact.data },
        workflow: { id: workflow.id, name: workflow.name },
        execution: { id: execution.id, startedAt: iso(execution.startedAt) },
        event: execution.context,
      }
      return requestOf(step.config, facts, renderer, { own, key: stepExecution.id })
    } catch (cause) {
      if (isShortOfTime(cause)) throw cause
      if (cause instanceof RenderFault || cause instanceof TemplateFault) return { fault: cause.message }
      throw cause
    }
  }
}

export type PrepareRequest = ReturnType<typeof createRequestBuilder>

interface Defaults {
  /** The body of a step that has none. */
  readonly own: object
  readonly key: string
}

function requestOf(
  config: Step["config"],
  facts: RenderFacts,
  renderer: RequestDeps["renderer"],
  { own, key }: Defaults,
): WebhookRequest | { fault: string } {
  const render = textRenderer(renderer, facts)
  const url = render(String(config.url)).trim()
  if (!["http:", "https:"].includes(parseUrl(url)?.protocol ?? ""))
    return { fault: "The rendered url is not an http or https address." }
  const method = String(config.method ?? "POST")
  const sent = isObject(config.headers) ? config.headers : {}
  const rendered = Object.entries(sent).map(([name, value]) => [name, render(String(value)).trim()] as const)
  const isSet = (name: string) => rendered.some(([each]) => each.toLowerCase() === name)
  const added = {
    ...(method !== "GET" && !isSet("content-type") && { "Content-Type": "application/json" }),
    ...(!isSet("idempotency-key") && { "Idempotency-Key": key }),
  }
  const headers = { ...added, ...Object.fromEntries(rendered) }
  const shared = Object.keys(added)
  if (method === "GET") return { url, method, headers, shared }
  const { body } = config
  if (typeof body === "string") return { url, method, headers, shared, body: render(body) }
  return {
    url,
    method,
    headers,
    shared,
    body: JSON.stringify(body === undefined || body === null ? own : renderDeep(body, render)),
  }
}
