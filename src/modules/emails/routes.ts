import { Elysia } from "elysia"
import {
  answers,
  bySecretKey,
  cursorAnswer,
  cursorQuery,
  idempotencyKey,
  refuses,
} from "../../http/openapi/describe.ts"
import { searchOf } from "../../http/page.ts"
import { pathId } from "../../http/path-id.ts"
import type { Protect } from "../../http/protect.ts"
import type { RememberedAnswers } from "../../http/remembered.ts"
import { iso } from "../../kernel/clock.ts"
import { canonicalAddress } from "../../kernel/email-address.ts"
import { parseId } from "../../kernel/ids.ts"
import type { JsonObject } from "../../kernel/json.ts"
import type { Attachment } from "../../mail/transport.ts"
import type { Recipient, SendRequest } from "./accept/send.ts"
import { templateTestBody, testIn } from "./accept/template-test-wire.ts"
import type { Emails } from "./actions.ts"
import {
  emailExample,
  emailFilters,
  emailSchema,
  fullEmailExample,
  fullEmailSchema,
  sendAnswer,
  testedSchema,
} from "./document.ts"
import { type AttachmentLimits, presentFullEmail, type SendBody, sendBody } from "./wire.ts"

export const sendRoutes = (emails: Emails, protect: Protect, limits: AttachmentLimits) =>
  new Elysia().use(protect({ accept: "secret", idempotent: true })).post(
    "/v1/send",
    async ({ project, commit, body }) => {
      const { at, emails: sent } = await emails.send(project, requestIn(body), commit)
      const list = sent.map(({ contactId, address, emailId }) => ({
        contact: { id: contactId, email: address },
        email: emailId,
      }))
      return { success: true, data: { emails: list, timestamp: iso(at) } }
    },
    {
      body: sendBody(limits),
      detail: {
        operationId: "sendEmail",
        tags: ["Public API"],
        summary: "Send a transactional email",
        description:
          "Sends at once, to each recipient a message of its own. Unknown recipients become contacts. All or nothing.",
        security: bySecretKey,
        parameters: idempotencyKey,
        responses: { ...sendAnswer, ...refuses(404) },
      },
    },
  )

/** Here, because templates know nothing of emails. */
export const templateTestRoutes = (emails: Emails, protect: Protect) =>
  new Elysia({ prefix: "/templates", detail: { tags: ["Templates"] } }).use(protect({ accept: "member" })).post(
    "/:id/test",
    async ({ project, params, body }) => ({
      emailId: await emails.sendTemplateTest(project, pathId("Template", params.id), testIn(body)),
    }),
    {
      body: templateTestBody,
      detail: {
        operationId: "testTemplate",
        summary: "Send a test message of a template",
        description:
          "Marked as a test, to any address, which does not become a contact. What is left out is as the template has it.",
        responses: answers(200, testedSchema, { emailId: emailExample.id }),
      },
    },
  )

export const emailRoutes = (emails: Emails, protect: Protect, answer: RememberedAnswers) =>
  new Elysia({ prefix: "/emails", detail: { tags: ["Emails"] } })
    .use(protect({ accept: "member" }))
    .get(
      "/",
      ({ project, query, request, set }) => {
        set.headers["Content-Type"] = "application/json;charset=utf-8"
        return answer(`${project.id} ${searchOf(request.url)}`, () => emails.list(project.id, query))
      },
      {
        detail: {
          operationId: "listEmails",
          summary: "List emails",
          description: "Newest first.",
          parameters: [...cursorQuery, ...emailFilters],
          responses: cursorAnswer(emailSchema, emailExample),
        },
      },
    )
    .get(
      "/:id",
      async ({ project, params }) => {
        const email = await emails.get(project.id, pathId("Email", params.id))
        return presentFullEmail(email, await emails.contentOf(email))
      },
      {
        detail: {
          operationId: "getEmail",
          summary: "Get an email with its content",
          responses: answers(200, fullEmailSchema, fullEmailExample),
        },
      },
    )

function requestIn(body: SendBody): SendRequest {
  const from = body.from ?? undefined
  const sender = typeof from === "string" ? { email: from, name: body.name } : from
  return {
    to: (Array.isArray(body.to) ? body.to : [body.to]).map(recipientIn),
    subject: body.subject ?? undefined,
    body: body.body ?? undefined,
    text: body.text ?? undefined,
    templateId: body.template ? parseId(body.template) : undefined,
    from: sender && canonicalAddress(sender.email),
    fromName: sender?.name ?? undefined,
    replyTo: body.reply ? canonicalAddress(body.reply) : undefined,
    subscribed: body.subscribed ?? undefined,
    data: (body.data as JsonObject | null | undefined) ?? undefined,
    headers: body.headers ?? {},
    attachments: (body.attachments ?? []).map(attachmentIn),
  }
}

function recipientIn(to: string | { email: string; name?: string | null }): Recipient {
  return typeof to === "string"
    ? { email: canonicalAddress(to), name: null }
    : { email: canonicalAddress(to.email), name: to.name || null }
}

type SentAttachment = NonNullable<SendBody["attachments"]>[number]

function attachmentIn({ filename, contentType, contentId, disposition, content }: SentAttachment): Attachment {
  return {
    // A UTF-8 name cannot contain half a surrogate pair, neither in mail nor in a download.
    filename: filename.toWellFormed(),
    contentType,
    contentId: contentId ?? null,
    disposition: disposition ?? "attachment",
    content: Buffer.from(content, "base64"),
  }
}
