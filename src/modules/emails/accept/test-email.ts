import type { Engine } from "../../../engine.ts"
import { nilId } from "../../../kernel/ids.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import { checkSize, compose } from "../../../mail/compose.ts"
import { linkVariables } from "../../../mail/link-variables.ts"
import { pickLocale, pickVariables, rendering, type Template, type TemplateField } from "../../../mail/render/index.ts"
import { variablesFor } from "../../templates/index.ts"
import { hashOfContent } from "../content/content.ts"
import { draftOf } from "../content/source-of.ts"
import { insertEmail } from "../ledger.ts"
import { emailChanged } from "../outcome/outcome.ts"
import { apiSource, lanes } from "../rules.ts"
import type { LedgerDeps } from "./accept.ts"
import type { Addressee, BulkMessage } from "./bulk.ts"
import { newEmail } from "./new-email.ts"

/** The parts of a bulk message that a test needs; it belongs to no campaign. */
type TestContent = Omit<BulkMessage, "source" | "type">

/** The longest subject with its mark, in characters. */
const maxSubject = 998
const headers = { "X-Mailstead-Test": "true" }

/**
 * Sends content to one address for review (contract B1.7). The message belongs to no contact and to no campaign, and
 * its links to hosted pages have no effect. The content is rendered with the data of `contact`, or with only the
 * address and the language if there is none. Throws `invalid` for content that cannot be rendered.
 */
export function createTestEmailSender({
  ids,
  bus,
  store,
  renderer,
  links,
  saveContent,
  wake,
}: LedgerDeps & Pick<Engine, "store">) {
  async function rendered(bulk: TestContent, to: string, contact: Addressee | undefined, id: string) {
    const compiled = await renderer.compile(bulk.projectId, bulk)
    if ("refusal" in compiled) throw compiled.refusal
    const { subject, body, text, all } = compiled
    const locale = pickLocale(contact?.data.locale, bulk.language)
    // Tokens in the form of real messages, for a contact that does not exist.
    const withoutEffect = Object.entries(linkVariables).map(([name, page]) => [name, links.page(page, nilId, id)])
    const known = contact ? variablesFor(contact, contact.data, locale) : { email: to, locale }
    const variables = pickVariables(all, { ...known, ...Object.fromEntries(withoutEffect) }) as JsonObject
    const timed = renderer.stretch(bulk.projectId)
    const renderPart = (field: TemplateField, template: Template) =>
      rendering(field, () => timed((limits) => template.render(variables, { locale, limits })))
    return {
      locale,
      variables,
      line: renderPart("subject", subject),
      html: renderPart("body", body),
      ...(text && { text: renderPart("text", text) }),
    }
  }

  return async (bulk: TestContent, to: string, contact?: Addressee): Promise<string> => {
    const id = ids.next()
    const { projectId, subject, body, text, from, fromName, replyTo } = bulk
    const { locale, variables, line, ...parts } = await rendered(bulk, to, contact, id)
    const content = { subject, body, text, literal: false, headers, attachments: [] }
    const contentHash = hashOfContent(content)
    const marked = Array.from(`[TEST] ${line}`).slice(0, maxSubject).join("")
    const fields = { id, projectId, contactId: null, contentHash, variables, locale, to, from, fromName, replyTo }
    await store.write(projectId, async (unit) => {
      const email = newEmail(apiSource, { ...fields, subject: marked, type: "TRANSACTIONAL" }, unit.now)
      checkSize(compose(draftOf(email, { ...parts, headers, attachments: [], listUnsubscribeUrl: null })))
      await saveContent(unit, projectId, contentHash, content)
      await insertEmail(unit, email)
      await bus.emit(unit, emailChanged, projectId, { id, change: "created" })
      unit.afterCommit(() => wake(lanes.transactional, projectId))
    })
    return id
  }
}

export type SendTestEmail = ReturnType<typeof createTestEmailSender>
