import { DomainError } from "../../../kernel/errors.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import { reasonOf } from "../../../kernel/log.ts"
import { withLinks } from "../../../mail/link-variables.ts"
import { type CompiledContent, pickLocale, pickVariables, RenderFault } from "../../../mail/render/index.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Contact } from "../../contacts/index.ts"
import { type MailType, variablesFor } from "../../templates/index.ts"
import { hashOfContent, type NewContent } from "../content/content.ts"
import { insertEmail } from "../ledger.ts"
import { emailChanged } from "../outcome/outcome.ts"
import { type EmailSource, laneOf } from "../rules.ts"
import type { Email } from "../table.ts"
import type { LedgerDeps } from "./accept.ts"
import { newEmail } from "./new-email.ts"

/** The common parts of all messages of a campaign. */
export interface BulkMessage {
  readonly source: EmailSource
  readonly projectId: string
  /** The language when a contact has none of its own. */
  readonly language: string
  /** Template sources. */
  readonly subject: string
  readonly body: string
  /** Null: made from the HTML. */
  readonly text: string | null
  readonly from: string
  readonly fromName: string | null
  readonly replyTo: string | null
  readonly type: MailType
}

/** A bulk message with everything that is computed once for all recipients. */
export interface PreparedBulkMessage extends BulkMessage {
  readonly content: NewContent
  readonly hash: string
  readonly templates: CompiledContent
}

export type Addressee = Pick<Contact, "id" | "email" | "subscribed" | "data">

/**
 * Puts one message to many contacts into the ledger: content is hashed and compiled once, and only the subject of each
 * message is rendered; the body is rendered at the hand-over. A message whose subject cannot be rendered is FAILED from
 * the start, with the reason, and the others continue (contract B1.6.2).
 */
export function createBulkEnqueuer({ ids, bus, renderer, links, saveContent, wake }: LedgerDeps) {
  /** The parts that differ between contacts. */
  function personal(bulk: PreparedBulkMessage, contact: Addressee, id: string): Personal {
    const { templates } = bulk
    const locale = pickLocale(contact.data.locale, bulk.language)
    const failed = (error: string) => ({ locale, variables: {}, subject: bulk.subject, error })
    if ("refusal" in templates) return failed(templates.refusal.message)
    try {
      const { subject, all } = templates
      const variables = pickVariables(all, variablesFor(contact, contact.data, locale)) as JsonObject
      const complete = withLinks(variables, [subject], links, { contactId: contact.id, id, projectId: bulk.projectId })
      const timed = renderer.stretch(bulk.projectId)
      const line = timed((limits) => subject.render(complete, { locale, limits }))
      return { locale, variables, subject: line, error: null }
    } catch (cause) {
      if (cause instanceof RenderFault || (cause instanceof DomainError && cause.kind === "invalid"))
        return failed(reasonOf(cause))
      throw cause
    }
  }

  async function add(unit: Unit, bulk: PreparedBulkMessage, contact: Addressee): Promise<void> {
    const { source, projectId, hash: contentHash, from, fromName, replyTo, type } = bulk
    const id = ids.next()
    const own = personal(bulk, contact, id)
    const addresses = { to: contact.email, from, fromName, replyTo }
    const status = own.error === null ? "PENDING" : "FAILED"
    const fields = { ...own, ...addresses, id, projectId, contactId: contact.id, contentHash, type, status } as const
    await insertEmail(unit, newEmail(source, fields, unit.now))
    await bus.emit(unit, emailChanged, projectId, { id, change: "created" })
  }

  return {
    async prepareBulk(bulk: BulkMessage): Promise<PreparedBulkMessage> {
      const { projectId, subject, body, text } = bulk
      const content = { subject, body, text, literal: false, headers: {}, attachments: [] }
      const templates = await renderer.compile(projectId, { subject, body, text })
      return { ...bulk, content, hash: hashOfContent(content), templates }
    },

    /**
     * Puts a message for each contact into the ledger, in order, until the time budget of `ms` is used up, at least
     * one. Resolves to the number of contacts done; the rest needs another unit.
     */
    async enqueue(unit: Unit, bulk: PreparedBulkMessage, contacts: readonly Addressee[], ms: number): Promise<number> {
      // The budget protects the other users of the store, so it is measured by the machine's clock.
      const until = performance.now() + ms
      let done = 0
      if (contacts.length > 0) await saveContent(unit, bulk.projectId, bulk.hash, bulk.content)
      for (const contact of contacts) {
        await add(unit, bulk, contact)
        done++
        if (performance.now() >= until) break
      }
      if (done > 0) unit.afterCommit(() => wake(laneOf(bulk.source, bulk.type), bulk.projectId))
      return done
    },
  }
}

type Personal = Pick<Email, "locale" | "variables" | "subject" | "error">
