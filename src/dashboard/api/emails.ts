import type { SignalKind } from "../../bus/signal.ts"
import type { emailChanged, emailSchema, fullEmailSchema, sendResultSchema } from "../../modules/emails/index.ts"
import { answered, call, queryString, read } from "./http.ts"
import type { CursorPage, Wire } from "./types.ts"
import { valuesOf } from "./types.ts"

/** An entry of a list (contract A4.5). */
export type EmailRecord = Wire<typeof emailSchema>
/** An email with its content, which retention may have deleted. */
export type Email = Wire<typeof fullEmailSchema>
export type EmailStatus = EmailRecord["status"]
type EmailPage = CursorPage<EmailRecord>

/** A change of one email in the stream. */
export type LiveChange = typeof emailChanged extends SignalKind<infer Payload> ? Payload : never

export const emailStatuses = valuesOf<EmailStatus>({
  PENDING: true,
  SENDING: true,
  SENT: true,
  DELIVERED: true,
  OPENED: true,
  CLICKED: true,
  BOUNCED: true,
  COMPLAINED: true,
  FAILED: true,
  CANCELLED: true,
  RECEIVED: true,
})

interface EmailQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly search?: string
  readonly status?: EmailStatus | null
  readonly contactId?: string
  readonly campaignId?: string
}

export const listEmails = (projectId: string, query: EmailQuery, signal?: AbortSignal): Promise<EmailPage> =>
  read(`/emails${queryString({ ...query })}`, { projectId, signal })

export const getEmail = (projectId: string, id: string, signal?: AbortSignal): Promise<Email> =>
  read(emailPath(id), { projectId, signal })

/** Deletes a message, with the records of all its recipients. */
export async function deleteEmail(projectId: string, id: string): Promise<void> {
  await call(`${emailPath(id)}?message=true`, { method: "DELETE", projectId })
}

export async function deleteAllEmails(projectId: string): Promise<void> {
  await call("/emails", { method: "DELETE", projectId })
}

/** The complete raw message. */
export async function getSource(projectId: string, id: string): Promise<Blob> {
  return (await call(`${emailPath(id)}/raw`, { projectId })).blob()
}

/** The beginning of the raw message; at most `limit` bytes are read from the network. */
export async function getSourceStart(
  projectId: string,
  id: string,
  limit: number,
  signal: AbortSignal,
): Promise<{ text: string; complete: boolean }> {
  const answer = await call(`${emailPath(id)}/raw`, { projectId, signal })
  const reader = answer.body?.getReader()
  const decoder = new TextDecoder()
  let text = ""
  let taken = 0
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    const rest = limit - taken
    text += decoder.decode(value.subarray(0, rest), { stream: true })
    taken += value.length
    if (value.length > rest) {
      await reader.cancel()
      return { text, complete: false }
    }
  }
  return { text: text + decoder.decode(), complete: true }
}

type SendResult = Wire<typeof sendResultSchema>

/** Sends through the public API with the project's secret key, as a program would. */
export async function sendMail(secret: string, message: Readonly<Record<string, unknown>>): Promise<SendResult> {
  const answer = await answered("/v1/send", {
    method: "POST",
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
    body: JSON.stringify(message),
  })
  return (await answer.json()).data
}

/** The document of the sandboxed frame. Frames and downloads send the cookie, but no headers. */
export const bodyUrl = (projectId: string, id: string, remote: boolean): string =>
  `/app/view/${projectId}${emailPath(id)}/body${remote ? "?remote=1" : ""}`

export const attachmentUrl = (projectId: string, id: string, index: number): string =>
  `/app/view/${projectId}${emailPath(id)}/attachments/${index}`

interface LiveListener {
  change(change: LiveChange): void
  /** There is new activity; told every two seconds at the most. */
  activity(): void
  /** The stream is open. Changes during an interruption were missed. */
  open(): void
  lost(): void
}

/** Opens the project's stream of changes; the returned function closes it. A lost stream is reopened by the caller. */
export function openLive(projectId: string, listener: LiveListener): () => void {
  const stream = new EventSource(`/app/live/${projectId}`)
  stream.addEventListener("open", () => listener.open())
  stream.addEventListener("error", () => {
    stream.close()
    listener.lost()
  })
  stream.addEventListener("activity", () => listener.activity())
  stream.addEventListener("email", (event) => listener.change(JSON.parse(event.data)))
  return () => stream.close()
}

/** Ids come from the address bar too, so they are encoded. */
const emailPath = (id: string): string => `/emails/${encodeURIComponent(id)}`
