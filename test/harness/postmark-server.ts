import MailComposer from "nodemailer/lib/mail-composer"
import { type ApiReply, type ApiServer, startApiServer } from "./api-server.ts"

export const postmarkToken = "7f3d1c52-9a40-4a5e-8a3b-2f6c1e0d9b11"

interface PostmarkFields {
  readonly From: string
  readonly To: string
  readonly ReplyTo?: string
  readonly Subject: string
  readonly HtmlBody: string
  readonly TextBody: string
  readonly Headers: readonly { readonly Name: string; readonly Value: string }[]
  readonly Attachments: readonly {
    readonly Name: string
    readonly ContentType: string
    readonly Content: string
    readonly ContentID?: string
  }[]
  readonly MessageStream: string
  readonly Tag: string
  readonly Metadata: Readonly<Record<string, string>>
  readonly TrackOpens: boolean
  readonly TrackLinks: string
}

/**
 * Postmark as its developer documentation describes the Email API ("Send batch emails", "API overview: error codes"), as far
 * as the program asks for it. The local part of a recipient says what becomes of the mail; `code<N>` is refused with that
 * error code.
 */
export interface PostmarkServer extends ApiServer {
  /** The messages that were taken, in order. */
  readonly messages: PostmarkFields[]
  /** Sizes of the batches that came. */
  readonly batches: number[]
  /** The transport URL that leads here. */
  transportUrl(options?: string): string
}

export async function startPostmark(): Promise<PostmarkServer> {
  const server = await startApiServer(({ method, path, headers, body }) => {
    if (headers["x-postmark-server-token"] !== postmarkToken)
      return error(401, 10, "Request does not contain a valid Server token.")
    if (`${method} ${path}` === "GET /server")
      return { status: 200, body: { ID: 1, Name: "Test", ApiTokens: [postmarkToken] } }
    if (`${method} ${path}` !== "POST /email/batch") return error(404, 0, "")
    if (body.length > 50_000_000) return { status: 413, body: "" }
    const messages = JSON.parse(body) as PostmarkFields[]
    batches.push(messages.length)
    if (messages.length > 500) return error(422, 410, "Too many batch messages.")
    if (messages.some(({ To }) => handlingOf(To) === "ignore")) return "hang"
    const bad = messages.find(({ To }) => handlingOf(To) === "spoil")
    if (bad) return error(422, 402, "Invalid JSON")
    const entries = messages.map(entryOf)
    if (messages.some(({ To }) => handlingOf(To) === "lose")) return "close"
    return { status: 200, body: entries }
  })
  const taken: PostmarkFields[] = []
  const batches: number[] = []

  function entryOf(fields: PostmarkFields): unknown {
    const handling = handlingOf(fields.To)
    const code = /^code(\d+)$/.exec(handling)?.[1]
    if (code !== undefined) return { ErrorCode: Number(code), Message: `Refused with ${code}.` }
    if (handling === "defer") return { ErrorCode: 429, Message: "Rate limit exceeded." }
    if (handling === "reject") return { ErrorCode: 406, Message: "You tried to send to an inactive recipient." }
    const isOdd = ({ ContentID = "cid:" }: PostmarkFields["Attachments"][number]) =>
      !/^cid:[\x21-\x7e]*$/.test(ContentID)
    if (fields.Attachments.some(isOdd)) return { ErrorCode: 300, Message: "Invalid ContentID." }
    taken.push(fields)
    const MessageID = `b7bc2f4a-e38e-4336-af7d-${taken.length.toString(16).padStart(12, "0")}`
    return { ErrorCode: 0, Message: "OK", MessageID, SubmittedAt: "2026-01-31T09:15:00Z", To: fields.To }
  }

  return {
    ...server,
    messages: taken,
    batches,
    transportUrl: (options = "") =>
      `postmark://${postmarkToken}?endpoint=${encodeURIComponent(server.url)}${options && `&${options}`}`,
  }
}

const error = (status: number, ErrorCode: number, Message: string): ApiReply => ({
  status,
  body: { ErrorCode, Message },
})

export const addressOf = (mailbox: string): string => /<([^>]*)>$/.exec(mailbox)?.[1] ?? mailbox
const handlingOf = (mailbox: string): string => addressOf(mailbox).split(/[@+]/)[0] ?? ""

/** The message as Postmark would compose it. */
export async function composed(fields: PostmarkFields): Promise<Buffer> {
  const headers = fields.Headers.filter(({ Name }) => Name !== "X-PM-KeepID")
  const isKept = fields.Headers.some(({ Name, Value }) => Name === "X-PM-KeepID" && Value === "true")
  const mail = new MailComposer({
    from: fields.From,
    to: fields.To,
    ...(fields.ReplyTo && { replyTo: fields.ReplyTo }),
    subject: fields.Subject,
    html: fields.HtmlBody,
    text: fields.TextBody,
    ...(isKept && { messageId: headers.find(({ Name }) => Name === "Message-ID")?.Value }),
    headers: headers
      .filter(({ Name }) => Name !== "Message-ID")
      .map(({ Name, Value }) => ({ key: Name, value: Value })),
    attachments: fields.Attachments.map(({ Name, ContentType, Content, ContentID }) => ({
      filename: Name,
      contentType: ContentType,
      content: Buffer.from(Content, "base64"),
      contentDisposition: ContentID ? "inline" : "attachment",
      ...(ContentID && { cid: ContentID.replace(/^cid:/, "") }),
    })),
  })
  return mail.compile().build()
}
