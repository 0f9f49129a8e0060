import type { ProjectRef } from "../../http/auth.ts"
import { nilId } from "../../kernel/ids.ts"
import type { JsonObject } from "../../kernel/json.ts"
import { asDocument } from "../../mail/compose.ts"
import { footerOf, textWith } from "../../mail/footer.ts"
import { readHtml } from "../../mail/html-text.ts"
import { dotted, missingVariables, pickLocale, type Renderer, rendering } from "../../mail/render/index.ts"
import { withAdditions } from "../../mail/tracking.ts"
import { type Contacts, patchData } from "../contacts/index.ts"
import type { MailType, Template } from "./table.ts"
import { linkVariables, variablesFor } from "./variables.ts"

export interface PreviewRequest {
  readonly templateId?: string | undefined
  /** Win over those of the template, one by one, as when a message is sent. */
  readonly subject?: string | undefined
  readonly body?: string | undefined
  readonly contactId?: string | undefined
  /** What a request to send would carry. */
  readonly data?: JsonObject | undefined
  readonly locale?: string | undefined
  readonly type?: MailType | undefined
  /** Whom the footer of marketing mail names. */
  readonly fromName?: string | undefined
}

export interface Preview {
  readonly subject: string
  readonly html: string
  readonly text: string
  /** Paths as one writes them in a tag, in the order of their first use; those without a value once more as missing. */
  readonly variables: { readonly used: readonly string[]; readonly missing: readonly string[] }
}

export interface PreviewDeps {
  readonly contacts: Contacts
  readonly renderer: Renderer
  /** Scheme, host and port of public links. */
  readonly baseUrl: () => string
  readonly get: (projectId: string, id: string) => Promise<Template>
}

/** The contact of a preview without one. */
const nobody = {
  id: nilId,
  email: "somebody@example.com",
  subscribed: true,
  data: {},
}

/**
 * Renders content as a message of it would be, by the same renderer and the same rules, and changes nothing. Refuses what
 * `POST /v1/send` refuses (contract A3.5).
 */
export const createPreview =
  ({ contacts, renderer, baseUrl, get }: PreviewDeps) =>
  async (
    project: ProjectRef,
    { templateId, contactId, data, locale: wish, ...own }: PreviewRequest,
  ): Promise<Preview> => {
    const template = templateId === undefined ? undefined : await get(project.id, templateId)
    const contact = contactId === undefined ? nobody : await contacts.get(project.id, contactId)
    const content = { subject: own.subject ?? template?.subject ?? "", body: own.body ?? template?.body ?? "" }
    const refusal = renderer.check(content)
    if (refusal) throw refusal

    const subject = renderer.template(content.subject, "subject")
    const body = renderer.template(content.body, "html")
    const { visible } = patchData(contact.data, data)
    const locale = pickLocale(wish, visible.locale, project.language)
    const links = deadLinks(baseUrl())
    const variables = { ...variablesFor(contact, visible, locale), ...links }
    const line = rendering("subject", () => subject.render(variables, { locale }))
    const html = asDocument(rendering("body", () => body.render(variables, { locale })))
    const reading = readHtml(html)
    const sender = own.fromName?.trim() || template?.fromName?.trim() || project.name || template?.from || ""
    const type = own.type ?? template?.type
    const footer =
      type === "MARKETING" ? footerOf({ language: locale, sender, unsubscribeUrl: links.unsubscribeUrl }) : undefined
    const used = [subject, body].flatMap((one) => one.variables.paths.map(dotted))
    return {
      subject: line,
      html: withAdditions(html, reading, { footer: footer?.html }),
      text: textWith(reading.text, footer),
      variables: { used: [...new Set(used)], missing: missingVariables([subject, body], variables) },
    }
  }

/** Links that look like those of a message, with an invalid token: whoever follows one changes nothing (contract A7.4.1). */
const deadLinks = (baseUrl: string): Record<keyof typeof linkVariables, string> => ({
  unsubscribeUrl: `${baseUrl}/${linkVariables.unsubscribeUrl}/preview`,
  subscribeUrl: `${baseUrl}/${linkVariables.subscribeUrl}/preview`,
  manageUrl: `${baseUrl}/${linkVariables.manageUrl}/preview`,
})
