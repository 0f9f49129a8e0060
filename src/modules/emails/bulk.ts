import type { Engine } from "../../engine.ts"
import { domainOf } from "../../kernel/email-address.ts"
import { DomainError } from "../../kernel/errors.ts"
import type { JsonObject } from "../../kernel/json.ts"
import { reasonOf } from "../../kernel/log.ts"
import type { Links } from "../../mail/links.ts"
import { pickLocale, pickVariables, type Renderer, RenderFault, type Template } from "../../mail/render/index.ts"
import type { Unit } from "../../store/writer.ts"
import type { Contact } from "../contacts/index.ts"
import { type MailType, variablesFor } from "../templates/index.ts"
import { hashOfContent, type NewContent, type SaveContent } from "./content.ts"
import { insertEmail, type NewEmail } from "./ledger.ts"
import { emailChanged } from "./outcome.ts"
import { type Lane, lanes } from "./rules.ts"
import { withLinks } from "./variables.ts"

/** What all the messages of a campaign have in common. */
export interface BulkMessage {
  readonly projectId: string
  readonly campaignId: string
  /** The language when a contact has none of its own. */
  readonly language: string
  /** Template sources. */
  readonly subject: string
  readonly body: string
  readonly from: string
  readonly fromName: string | null
  readonly replyTo: string | null
  readonly type: MailType
}

/** A circular with what is worked out once for all its messages. */
export interface PreparedBulkMessage extends BulkMessage {
  readonly content: NewContent
  readonly hash: string
  /** Its templates, or why no message can be made of it. */
  readonly made: { readonly subject: Template; readonly body: Template } | { readonly refusal: string }
}

export type Addressee = Pick<Contact, "id" | "email" | "subscribed" | "data">

interface Parts extends Pick<Engine, "ids" | "bus"> {
  readonly renderer: Renderer
  readonly links: Links
  readonly saveContent: SaveContent
  readonly wake: (lane: Lane) => void
}

/**
 * The bulk way into the ledger: content is hashed and compiled once, and of each message only the subject is rendered,
 * the body when its turn to leave has come. A message whose subject cannot be rendered is FAILED from the start, with the
 * reason, and holds up no other (contract B1.6.2).
 */
export function createBulkEnqueuer({ ids, bus, renderer, links, saveContent, wake }: Parts) {
  function make({ subject, body }: BulkMessage): PreparedBulkMessage["made"] {
    const refusal = renderer.check({ subject, body })
    if (refusal) return { refusal: refusal.message }
    return { subject: renderer.template(subject, "subject"), body: renderer.template(body, "html") }
  }

  /** What differs from contact to contact. */
  function personal(bulk: PreparedBulkMessage, contact: Addressee, id: string): Personal {
    const { made } = bulk
    const locale = pickLocale(contact.data.locale, bulk.language)
    const failed = (error: string) => ({ locale, variables: {}, subject: bulk.subject, error })
    if ("refusal" in made) return failed(made.refusal)
    try {
      const { subject, body } = made
      const variables = pickVariables([subject, body], variablesFor(contact, contact.data, locale)) as JsonObject
      const complete = withLinks(variables, [subject], links, { contactId: contact.id, id })
      return { locale, variables, subject: subject.render(complete, { locale }), error: null }
    } catch (cause) {
      if (cause instanceof RenderFault || (cause instanceof DomainError && cause.kind === "invalid"))
        return failed(reasonOf(cause))
      throw cause
    }
  }

  async function add(unit: Unit, bulk: PreparedBulkMessage, contact: Addressee): Promise<void> {
    const { projectId, campaignId, type } = bulk
    const id = ids.next()
    const { error, ...own } = personal(bulk, contact, id)
    const email: NewEmail = {
      id,
      projectId,
      contactId: contact.id,
      templateId: null,
      campaignId,
      workflowExecutionId: null,
      contentHash: bulk.hash,
      to: contact.email,
      toName: null,
      from: bulk.from,
      fromName: bulk.fromName,
      replyTo: bulk.replyTo,
      type,
      sourceType: type === "TRANSACTIONAL" ? "TRANSACTIONAL" : "CAMPAIGN",
      status: error === null ? "PENDING" : "FAILED",
      messageId: `${id}@${domainOf(bulk.from)}`,
      lane: lanes.bulk,
      ...own,
    }
    await insertEmail(unit, email, error === null ? {} : { error })
    await bus.emit(unit, emailChanged, projectId, { id, change: "created" })
  }

  return {
    prepareBulk(bulk: BulkMessage): PreparedBulkMessage {
      const { subject, body } = bulk
      const content = { subject, body, literal: false, headers: {}, attachments: [] }
      return { ...bulk, content, hash: hashOfContent(content), made: make(bulk) }
    },

    /**
     * Puts a message for each contact into the ledger, in order, until the budget of `ms` is spent: at least one, if there
     * is one. Resolves to how many contacts it is done with; the rest wants another unit.
     */
    async enqueue(unit: Unit, bulk: PreparedBulkMessage, contacts: readonly Addressee[], ms: number): Promise<number> {
      // The budget guards the other users of the store, so it is measured by the machine's clock.
      const until = performance.now() + ms
      let done = 0
      if (contacts.length > 0) await saveContent(unit, bulk.projectId, bulk.hash, bulk.content)
      for (const contact of contacts) {
        await add(unit, bulk, contact)
        done++
        if (performance.now() >= until) break
      }
      if (done > 0) unit.afterCommit(() => wake(lanes.bulk))
      return done
    },
  }
}

interface Personal extends Pick<NewEmail, "locale" | "variables" | "subject"> {
  readonly error: string | null
}
