/** One faulty field of a refused request (contract A1.7). */
export interface FieldFault {
  /** Dotted path; `""` is the body. */
  readonly field: string
  readonly message: string
  readonly code: string
}

/** A request that the server refused, or that did not reach it (`status` 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly faults: readonly FieldFault[] = [],
    readonly details: Readonly<Record<string, unknown>> = {},
    /** Contract A1.7; empty for a bare error. */
    readonly code = "",
    /** A suggestion, in a sentence; empty when there is none. */
    readonly suggestion = "",
  ) {
    super(message)
    this.name = "ApiError"
  }
}

/** The session of a request does not exist or has ended. */
export class SignedOutError extends ApiError {}

/** Whether the requested record does not exist. */
export const isMissing = (cause: unknown): boolean => cause instanceof ApiError && cause.status === 404

interface RequestOptions {
  readonly projectId?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** Sent as JSON; a form is sent as it is. */
  readonly body?: unknown
}

/** The JSON of a response. */
export async function read<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return (await call(path, options)).json()
}

/**
 * The response. A refusal throws an `ApiError`, an aborted request the browser's `AbortError`. If the page signs in by
 * itself (in the sandbox), an expired session is renewed and the request repeated; otherwise it throws a
 * `SignedOutError`.
 */
export async function call(path: string, options: RequestOptions = {}): Promise<Response> {
  const init = requestOf(options)
  return answered(path, init).catch(async (cause: unknown) => {
    if (!lacksSession(cause)) throw cause
    await answered("/app", { cache: "no-store", credentials: "same-origin", mode: "same-origin" })
    return answered(path, init).catch((again: unknown) => {
      throw lacksSession(again) ? signedOut(again) : again
    })
  })
}

/** A wrong password is refused with the same status. */
const lacksSession = (cause: unknown): cause is ApiError =>
  cause instanceof ApiError && cause.status === 401 && cause.code !== "INVALID_CREDENTIALS"

/** Sends once, where no session is needed. */
export const callOnce = (path: string, options: RequestOptions = {}): Promise<Response> =>
  answered(path, requestOf(options))

const signedOut = ({ status, faults, details, code }: ApiError) =>
  new SignedOutError(status, "Your session had ended. Sign in, and try again.", faults, details, code)

function requestOf({ projectId, signal, method = "GET", body }: RequestOptions): RequestInit {
  const headers: Record<string, string> = { Accept: "application/json" }
  if (projectId) headers["X-Project-Id"] = projectId
  const isForm = body instanceof FormData
  if (body !== undefined && !isForm) headers["Content-Type"] = "application/json"
  return {
    method,
    headers,
    credentials: "same-origin",
    // a deletion that could still be undone is sent while the page unloads; browsers limit the body of such requests
    keepalive: method === "DELETE" && body === undefined,
    ...(signal ? { signal } : {}),
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  }
}

/** Sends a request as it is given, for example with an API key instead of the session. */
export async function answered(path: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(path, init).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause
    throw new ApiError(0, "The server does not answer.")
  })
  if (answer.ok) return answer
  throw refusal(answer.status, await answer.json().catch(() => null))
}

/** What an answer without a reason of ours means: it is that of a proxy in front of the server. */
const textsOfProxies: Readonly<Record<number, string>> = {
  413: "A proxy in front of the server takes nothing of this size. Its limit can be raised (client_max_body_size of nginx).",
  502: "The proxy in front of the server gets no answer from it.",
  504: "The proxy in front of the server gets no answer from it.",
}

/** Both the envelope and the bare errors of contract A1.8. */
function refusal(status: number, body: unknown): ApiError {
  const { error } = (body ?? {}) as { error?: unknown }
  if (typeof error === "string") return new ApiError(status, error)
  const { message, errors, details, code, suggestion } = (error ?? {}) as {
    message?: unknown
    errors?: readonly FieldFault[]
    details?: Readonly<Record<string, unknown>>
    code?: string
    suggestion?: string
  }
  const text = typeof message === "string" ? message : (textsOfProxies[status] ?? `The server answered ${status}.`)
  return new ApiError(status, text, Array.isArray(errors) ? errors : [], details ?? {}, code, suggestion)
}

/** A query string with its question mark; `undefined`, `null` and `""` are left out. */
export function queryString(
  parameters: Readonly<Record<string, string | number | boolean | null | undefined>>,
): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "") params.set(name, String(value))
  }
  const text = params.toString()
  return text === "" ? "" : `?${text}`
}
