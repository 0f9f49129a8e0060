import type { JsonObject } from "../../../kernel/json.ts"
import { pickLocale, type Renderer } from "../../../mail/render/index.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Contact } from "../../contacts/index.ts"
import type { Project } from "../../projects/index.ts"
import type { Template } from "../../templates/index.ts"
import { recipientUnsubscribed } from "../rules.ts"
import { type HashedContent, hashed, type MailAcceptor } from "./accept.ts"

/** A template with everything that is computed once for all messages made from it. */
export interface PreparedTemplate {
  readonly template: Template
  readonly project: Pick<Project, "id" | "name" | "language">
  readonly content: HashedContent
}

/** One message of a workflow's execution to a contact. */
interface ExecutionMail {
  readonly executionId: string
  readonly contact: Contact
  /** Where it goes instead of the contact's address, in canonical form. */
  readonly to?: string
  readonly context: JsonObject
}

/** Stores messages of templates as executions of workflows send them (contract B5.4.2). */
export const createTemplateMailer = ({ renderer, acceptor }: { renderer: Renderer; acceptor: MailAcceptor }) => ({
  /** Compiles a template, a long one on a thread, so that `prepareTemplate` finds it compiled. */
  async warmTemplate({ projectId, subject, body, text }: Template): Promise<void> {
    await renderer.compile(projectId, { subject, body, text })
  },

  /** For the caller's unit, which may not wait for a thread. */
  prepareTemplate(project: PreparedTemplate["project"], template: Template): PreparedTemplate {
    const { subject, body, text } = template
    const content = { subject, body, text, literal: false, headers: {}, attachments: [] }
    const templates = renderer.compileNow({ subject, body, text })
    return { template, project, content: hashed(content, templates, [], renderer.stretch(project.id)) }
  },

  /**
   * Stores one message in the caller's unit and resolves to its id. It is FAILED from the start when its type needs
   * consent that the contact does not give. @throws {DomainError} 422, or 429 for the allowance of slow templates,
   * before anything is written, for content that cannot be rendered
   */
  acceptTemplate(unit: Unit, { template, project, content }: PreparedTemplate, mail: ExecutionMail): Promise<string> {
    const { executionId, contact, to, context } = mail
    const mayReceive = template.type === "TRANSACTIONAL" || contact.subscribed
    return acceptor.accept(
      unit,
      {
        source: { kind: "workflow", id: executionId },
        projectId: project.id,
        language: project.language,
        contact,
        visible: contact.data,
        context,
        ...(to !== undefined && { to }),
        refusal: mayReceive ? undefined : recipientUnsubscribed,
        toName: null,
        from: template.from,
        fromName: template.fromName?.trim() || project.name || null,
        replyTo: template.replyTo,
        type: template.type,
        templateId: template.id,
      },
      { ...content, timed: renderer.stretch(project.id) },
    )
  },

  /** The language of a contact's messages in a project. */
  localeOf: ({ data }: Pick<Contact, "data">, { language }: Pick<Project, "language">): string =>
    pickLocale(data.locale, language),
})
