import type { Engine } from "../../engine.ts"
import { domainOf } from "../../kernel/email-address.ts"
import { nilId } from "../../kernel/ids.ts"
import type { JsonObject } from "../../kernel/json.ts"
import { checkSize, compose } from "../../mail/compose.ts"
import type { Links } from "../../mail/links.ts"
import { pickLocale, pickVariables, type Renderer, rendering } from "../../mail/render/index.ts"
import { linkVariables, variablesFor } from "../templates/index.ts"
import type { Addressee, BulkMessage } from "./bulk.ts"
import { hashOfContent, type SaveContent } from "./content.ts"
import { draftOf } from "./drafts.ts"
import { insertEmail, type NewEmail } from "./ledger.ts"
import { emailChanged } from "./outcome.ts"
import { type Lane, lanes } from "./rules.ts"

interface Parts extends Pick<Engine, "ids" | "bus" | "store"> {
  readonly renderer: Renderer
  readonly links: Links
  readonly saveContent: SaveContent
  readonly wake: (lane: Lane) => void
}

const maxSubject = 998
const headers = { "X-Mailstead-Test": "true" }

/**
 * Sends content to one address to be looked at (contract B1.7). The message belongs to no contact and to no campaign; its
 * links to leave or come back lead nowhere. `contact` is whose data fills the content; without one it is the address alone.
 * Throws `invalid` for content that cannot be rendered.
 */
export function createTestEmailSender({ ids, bus, store, renderer, links, saveContent, wake }: Parts) {
  function rendered(bulk: Omit<BulkMessage, "campaignId">, to: string, contact: Addressee | undefined, id: string) {
    const refusal = renderer.check(bulk)
    if (refusal) throw refusal
    const [subject, body] = [renderer.template(bulk.subject, "subject"), renderer.template(bulk.body, "html")]
    const locale = pickLocale(contact?.data.locale, bulk.language)
    // Tokens that look like those of a message, lead to nobody and change nothing.
    const dead = Object.entries(linkVariables).map(([name, page]) => [name, links.page(page, nilId, id)])
    const known = contact ? variablesFor(contact, contact.data, locale) : { email: to }
    const variables = pickVariables([subject, body], { ...known, ...Object.fromEntries(dead) }) as JsonObject
    return {
      locale,
      variables,
      line: rendering("subject", () => subject.render(variables, { locale })),
      html: rendering("body", () => body.render(variables, { locale })),
    }
  }

  return async (bulk: Omit<BulkMessage, "campaignId">, to: string, contact?: Addressee): Promise<string> => {
    const id = ids.next()
    const { projectId, subject, body, from, fromName, replyTo } = bulk
    const { locale, variables, line, html } = rendered(bulk, to, contact, id)
    const content = { subject, body, literal: false, headers, attachments: [] }
    const hash = hashOfContent(content)
    const email: NewEmail = {
      id,
      projectId,
      contactId: null,
      templateId: null,
      campaignId: null,
      workflowExecutionId: null,
      contentHash: hash,
      variables,
      locale,
      to,
      toName: null,
      from,
      fromName,
      replyTo,
      subject: Array.from(`[TEST] ${line}`).slice(0, maxSubject).join(""),
      type: "TRANSACTIONAL",
      sourceType: "TRANSACTIONAL",
      status: "PENDING",
      messageId: `${id}@${domainOf(from)}`,
      lane: lanes.transactional,
    }
    await store.write(projectId, async (unit) => {
      const draft = { html, headers, attachments: [], listUnsubscribeUrl: null }
      checkSize(compose(draftOf({ ...email, createdAt: unit.now }, draft)))
      await saveContent(unit, projectId, hash, content)
      await insertEmail(unit, email)
      await bus.emit(unit, emailChanged, projectId, { id, change: "created" })
      unit.afterCommit(() => wake(lanes.transactional))
    })
    return id
  }
}
