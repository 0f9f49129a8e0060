import type { JsonObject } from "../../kernel/json.ts"
import { asDocument } from "../../mail/compose.ts"
import { footerOf, ownLinks, textWith } from "../../mail/footer.ts"
import { readHtml, textPartOf } from "../../mail/html-text.ts"
import { linkVariables } from "../../mail/link-variables.ts"
import {
  dotted,
  missingVariables,
  pickLocale,
  type Renderer,
  rendering,
  type Template,
  type TemplateField,
} from "../../mail/render/index.ts"
import { withAdditions } from "../../mail/tracking.ts"
import { type Contact, patchData } from "../contacts/index.ts"
import type { MailType } from "./table.ts"
import { variablesFor } from "./variables.ts"

export interface Preview {
  readonly subject: string
  readonly html: string
  readonly text: string
  /** Paths as written in a tag, in the order of their first use; those without a value are also in `missing`. */
  readonly variables: { readonly used: readonly string[]; readonly missing: readonly string[] }
}

/** The input of a preview. */
export interface PreviewContent {
  readonly projectId: string
  readonly subject: string
  readonly body: string
  /** Null: made from the body. */
  readonly text: string | null
  readonly contact: Pick<Contact, "id" | "email" | "subscribed" | "data">
  readonly data: JsonObject | undefined
  /** The requested language. */
  readonly locale: string | undefined
  /** The project's. */
  readonly language: string
  readonly sender: string
  readonly postalAddress: string | null
  readonly type: MailType | undefined
  readonly baseUrl: string
}

/** Throws the faults of the content. */
export function renderPreview(renderer: Renderer, content: PreviewContent): Preview {
  const { contact, type, sender, postalAddress } = content
  const refusal = renderer.check(content)
  if (refusal) throw refusal

  const subject = renderer.template(content.subject, "subject")
  const body = renderer.template(content.body, "html")
  const ownText = content.text === null ? undefined : renderer.template(content.text, "text")
  const all = ownText ? [subject, body, ownText] : [subject, body]
  const { visible } = patchData(contact.data, content.data)
  const locale = pickLocale(content.locale, visible.locale, content.language)
  const links = deadLinks(content.baseUrl)
  const variables = { ...variablesFor(contact, visible, locale), ...links }
  const timed = renderer.stretch(content.projectId)
  const renderPart = (field: TemplateField, template: Template) =>
    rendering(field, () => timed((limits) => template.render(variables, { locale, limits })))
  const line = renderPart("subject", subject)
  const html = asDocument(renderPart("body", body))
  const reading = readHtml(html)
  const { unsubscribeUrl } = links
  const text = ownText && renderPart("text", ownText)
  const own = ownLinks(unsubscribeUrl, reading, text)
  const ending = { language: locale, sender, unsubscribeUrl, ...own, postalAddress }
  const footer = type === "MARKETING" ? footerOf(ending) : undefined
  const used = all.flatMap((one) => one.variables.paths.map(dotted))
  return {
    subject: line,
    html: withAdditions(html, reading, { footer: footer?.html }),
    text: textWith(text ?? textPartOf(reading.text, { html, subject: line }), footer),
    variables: { used: [...new Set(used)], missing: missingVariables(all, variables) },
  }
}

/**
 * Links like those of a message, but with an invalid token, so that following them changes nothing (contract A7.4.1).
 */
const deadLinks = (baseUrl: string): Record<keyof typeof linkVariables, string> => ({
  unsubscribeUrl: `${baseUrl}/${linkVariables.unsubscribeUrl}/preview`,
  subscribeUrl: `${baseUrl}/${linkVariables.subscribeUrl}/preview`,
  manageUrl: `${baseUrl}/${linkVariables.manageUrl}/preview`,
})
