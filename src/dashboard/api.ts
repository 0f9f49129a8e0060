import type { Config, Contact, Email, EmailPage, EmailStatus, LiveChange, Project, Template } from "./wire.ts"

/** A request that the server refused, or that did not reach it (`status` 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
    this.name = "ApiError"
  }
}

export interface EmailQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly search?: string
  readonly status?: EmailStatus | null
}

export const getConfig = (): Promise<Config> => read("/config")

/** Where the page itself signs in (the sandbox does), a session that has ended is renewed on the way. */
export async function listProjects(): Promise<readonly Project[]> {
  const list = () => read<readonly Project[]>("/users/@me/projects")
  return list().catch(async (cause: unknown) => {
    if (!(cause instanceof ApiError && cause.status === 401)) throw cause
    await call("/app", { cache: "no-store" })
    return list()
  })
}

export function listEmails(projectId: string, query: EmailQuery, signal?: AbortSignal): Promise<EmailPage> {
  const params = new URLSearchParams({ limit: String(query.limit) })
  if (query.cursor) params.set("cursor", query.cursor)
  if (query.search) params.set("search", query.search)
  if (query.status) params.set("status", query.status)
  return read(`/emails?${params}`, projectId, signal)
}

export const getEmail = (projectId: string, id: string, signal?: AbortSignal): Promise<Email> =>
  read(emailPath(id), projectId, signal)

export const getContact = (projectId: string, id: string): Promise<Contact> =>
  read(`/contacts/${encodeURIComponent(id)}`, projectId)

export const getTemplate = (projectId: string, id: string): Promise<Template> =>
  read(`/templates/${encodeURIComponent(id)}`, projectId)

export async function deleteEmail(projectId: string, id: string): Promise<void> {
  await call(emailPath(id), { method: "DELETE", headers: projectHeader(projectId) })
}

export async function deleteAllEmails(projectId: string): Promise<void> {
  await call("/emails", { method: "DELETE", headers: projectHeader(projectId) })
}

/** The message as it went over the wire, whole. */
export async function getSource(projectId: string, id: string): Promise<Blob> {
  return (await call(`${emailPath(id)}/raw`, { headers: projectHeader(projectId) })).blob()
}

/** The beginning of the message as it went over the wire: no more than `limit` bytes are taken off the network. */
export async function getSourceStart(
  projectId: string,
  id: string,
  limit: number,
  signal: AbortSignal,
): Promise<{ text: string; complete: boolean }> {
  const answer = await call(`${emailPath(id)}/raw`, { headers: projectHeader(projectId), signal })
  const reader = answer.body?.getReader()
  const decoder = new TextDecoder()
  let text = ""
  let taken = 0
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    const room = limit - taken
    text += decoder.decode(value.subarray(0, room), { stream: true })
    taken += value.length
    if (value.length > room) {
      await reader.cancel()
      return { text, complete: false }
    }
  }
  return { text: text + decoder.decode(), complete: true }
}

/** Sends through the public API with the project's own key, the way a program would. */
export async function sendSample(secret: string, message: Readonly<Record<string, unknown>>): Promise<void> {
  await call("/v1/send", {
    method: "POST",
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
    body: JSON.stringify(message),
  })
}

/** Where the sandboxed frame takes its document from: frames and downloads carry the cookie, never a header. */
export const bodyUrl = (projectId: string, id: string, remote: boolean): string =>
  `/app/view/${projectId}${emailPath(id)}/body${remote ? "?remote=1" : ""}`

export const attachmentUrl = (projectId: string, id: string, index: number): string =>
  `/app/view/${projectId}${emailPath(id)}/attachments/${index}`

export interface LiveListener {
  change(change: LiveChange): void
  /** The stream is up. After an interruption, changes in between went unheard. */
  open(): void
  lost(): void
}

/** Opens the project's stream of changes; the returned function closes it. The caller reopens a lost one. */
export function openLive(projectId: string, listener: LiveListener): () => void {
  const stream = new EventSource(`/app/live/${projectId}`)
  stream.addEventListener("open", () => listener.open())
  stream.addEventListener("error", () => {
    stream.close()
    listener.lost()
  })
  stream.addEventListener("email", (event) => listener.change(JSON.parse(event.data)))
  return () => stream.close()
}

/** Ids come from the address bar too, so they are no part of a path before they are encoded. */
const emailPath = (id: string): string => `/emails/${encodeURIComponent(id)}`

const projectHeader = (projectId: string): Record<string, string> => ({ "X-Project-Id": projectId })

async function read<T>(path: string, projectId?: string, signal?: AbortSignal): Promise<T> {
  const headers = { Accept: "application/json", ...(projectId ? projectHeader(projectId) : {}) }
  const answer = await call(path, signal ? { headers, signal } : { headers })
  return answer.json()
}

async function call(path: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(path, { ...init, credentials: "same-origin" }).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause
    throw new ApiError(0, "The server does not answer.")
  })
  if (answer.ok) return answer
  const body: unknown = await answer.json().catch(() => null)
  throw new ApiError(answer.status, messageOf(body) ?? `The server answered ${answer.status}.`)
}

function messageOf(body: unknown): string | undefined {
  const error = (body as { error?: { message?: unknown } } | null)?.error
  return typeof error?.message === "string" ? error.message : undefined
}
