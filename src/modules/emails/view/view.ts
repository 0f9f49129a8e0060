import type { Engine } from "../../../engine.ts"
import {
  type CursorPage,
  countIn,
  cursorPage,
  decodeCursor,
  defaultLimit,
  encodeCursor,
  given,
  maxLimit,
  type Query,
  requiredChoiceIn,
  searchIn,
} from "../../../http/page.ts"
import { parseAddress, phraseOf } from "../../../kernel/email-address.ts"
import { notFound } from "../../../kernel/errors.ts"
import { parseId } from "../../../kernel/ids.ts"
import { compose } from "../../../mail/compose.ts"
import { isShortOfTime, RenderFault, renderError } from "../../../mail/render/index.ts"
import type { Mailbox } from "../../../mail/transport.ts"
import type { Drafts } from "../content/drafts.ts"
import { type Email, emailStatuses, sourceTypes } from "../table.ts"
import { type EmailContent, presentEmail } from "../wire.ts"
import { createEmailLists, type EmailFilter, findEmailOf } from "./list.ts"

/** The content of a message that is stored as received instead of as subject and body. */
export type FindRawContent = (email: Email) => Promise<EmailContent | undefined>

const nothing: EmailContent = { html: null, text: null, headers: {}, attachments: [] }
const order = "id.desc"

/** Reading the ledger: the list, one message, and its content as it was sent (contract A4.5). */
export function createEmailViews({ store }: Pick<Engine, "store">, drafts: Drafts, findRawContent: FindRawContent) {
  const page = createEmailLists(store)

  async function contentOf(email: Email): Promise<EmailContent> {
    const content = await drafts.contentOf(email)
    if (content === undefined) return (await findRawContent(email)) ?? nothing
    const shown = await drafts.shown(email, content).catch(unlessUnrenderable)
    if (shown === undefined) return nothing
    const { html, text, headers, from, to, replyTo, messageId, attachments } = compose(shown)
    return {
      html,
      text,
      headers: {
        From: mailboxOf(from),
        To: mailboxOf(to),
        ...(replyTo === null ? {} : { "Reply-To": replyTo }),
        Subject: email.subject,
        "Message-ID": `<${messageId}>`,
        ...Object.fromEntries(headers),
      },
      attachments,
    }
  }

  return {
    async list(projectId: string, query: Query): Promise<CursorPage<ReturnType<typeof presentEmail>>> {
      const filter = filterIn(query)
      const limit = countIn(query.limit, defaultLimit, maxLimit)
      const after = decodeCursor(order, query.cursor, { key: "string" })
      const none = { rows: [], total: 0 }
      const { rows, total } = filter === "nothing" ? none : await page(projectId, filter, after?.id, limit + 1)
      const cursorOf = ({ id }: Email) => encodeCursor(order, { key: id, id })
      return cursorPage(rows, { limit, total, cursorOf, present: presentEmail })
    },

    async get(projectId: string, id: string): Promise<Email> {
      const email = await findEmailOf(store.read, projectId, id)
      if (email === undefined) throw notFound("Email", id)
      return email
    },

    contentOf,
  }
}

/** A mailbox as in a header whose encoded words are decoded. */
function mailboxOf({ name, address }: Mailbox): string {
  const words = name.replaceAll("\t", " ").trim()
  return words === "" ? address : `${phraseOf(words)} <${address}>`
}

/** A message that failed because its content cannot be rendered is shown without content. */
function unlessUnrenderable(cause: unknown): undefined {
  if (!(cause instanceof RenderFault)) throw cause
  if (isShortOfTime(cause)) throw renderError("body", cause)
}

/** An invalid id matches nothing; an unknown status or source is refused (contract A4.5). */
function filterIn(query: Query): EmailFilter | "nothing" {
  const status = requiredChoiceIn("status", given(query.status), emailStatuses)
  const sourceType = requiredChoiceIn("sourceType", given(query.sourceType), sourceTypes)
  const to = given(query.to)
  const ids = (["contactId", "campaignId", "templateId"] as const).map((name) => [name, given(query[name])] as const)
  if (ids.some(([, id]) => id !== undefined && parseId(id) === undefined)) return "nothing"
  return {
    ...Object.fromEntries(ids.map(([name, id]) => [name, id === undefined ? undefined : parseId(id)])),
    status,
    sourceType,
    // Mail from other programs may have recipients that are not valid addresses here; they are stored in lower case.
    to: to === undefined ? undefined : (parseAddress(to) ?? to.trim().toLowerCase()),
    search: searchIn(query.search),
  }
}
