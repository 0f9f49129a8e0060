import type { Engine } from "../../../engine.ts"
import type { ProjectRef } from "../../../http/auth.ts"
import { nilId } from "../../../kernel/ids.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import { type Contacts, findContactByAddress, patchData } from "../../contacts/index.ts"
import type { Domains } from "../../domains/index.ts"
import { type Templates, textOf } from "../../templates/index.ts"
import type { SendTestEmail } from "./test-email.ts"

/** A test of a template; `undefined` for what is as the template has it. */
export interface TemplateTest {
  /** In canonical form. */
  readonly to: string
  readonly subject: string | undefined
  readonly body: string | undefined
  readonly text: string | null | undefined
  readonly from: string | undefined
  readonly fromName: string | null | undefined
  readonly replyTo: string | null | undefined
  /** The contact whose data fills it, instead of that with the address. */
  readonly contactId: string | undefined
  /** Custom fields over those of the contact, as in a request to send. */
  readonly data: JsonObject | undefined
}

interface TemplateTestDeps extends Pick<Engine, "store"> {
  readonly contacts: Contacts
  readonly templates: Templates
  readonly domains: Domains
  readonly sendTest: SendTestEmail
}

/**
 * Sends a test message of a template, maybe with content that is not saved (contract A6.9); resolves to the id of the
 * email. Throws `notFound` for the template or the contact, and the refusals of `POST /v1/send` for sender and content.
 */
export const createTemplateTester =
  ({ store, contacts, templates, domains, sendTest }: TemplateTestDeps) =>
  async (project: ProjectRef, templateId: string, { to, contactId, data, ...own }: TemplateTest): Promise<string> => {
    const template = await templates.get(project.id, templateId)
    const from = own.from ?? template.from
    await domains.requireVerifiedSender(project.id, from)
    const found =
      contactId === undefined
        ? await findContactByAddress(store.read, project.id, to)
        : await contacts.get(project.id, contactId)
    const contact = found ?? { id: nilId, email: to, subscribed: true, data: {} }
    const fromName = own.fromName === undefined ? template.fromName : own.fromName
    const content = {
      projectId: project.id,
      language: project.language,
      subject: own.subject ?? template.subject,
      body: own.body ?? template.body,
      text: textOf(own, template),
      from,
      fromName: fromName?.trim() || project.name || null,
      replyTo: own.replyTo === undefined ? template.replyTo : own.replyTo,
    }
    return sendTest(content, to, { ...contact, data: patchData(contact.data, data).visible })
  }
