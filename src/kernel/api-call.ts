import { isCertificateFault } from "./certificate-fault.ts"
import { isObject, jsonOf } from "./json.ts"
import { reasonOf } from "./log.ts"
import { isLoopbackHost } from "./loopback.ts"
import { whenOverdue } from "./time-limit.ts"

/** One request to the HTTP API of a provider, at a host that the operator has named: never at one that users name. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  readonly url: string
  readonly headers: Headers | Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/**
 * The outcome. `unreached`: the request was certainly not sent. `lost`: it may have been sent and acted on, but no
 * complete answer came.
 */
export type ApiAnswer =
  | { readonly kind: "answered"; readonly status: number; readonly headers: Headers; readonly text: string }
  | { readonly kind: "unreached"; readonly reason: string }
  | { readonly kind: "lost"; readonly reason: string }

export interface CallOptions {
  /** The longest that the whole answer is waited for. */
  readonly timeoutMs: number
  readonly abort: AbortSignal
  /** How long an answer is still waited for when `abort` fires. */
  readonly graceMs?: number
}

// Answers of the APIs in use are below 200 KB; anything far larger is not theirs.
const mostBytes = 4 * 1_024 * 1_024

/** Makes the request once: never repeats it, follows no redirect, never rejects. */
export async function callApi(request: ApiRequest, { timeoutMs, abort, graceMs = 0 }: CallOptions): Promise<ApiAnswer> {
  if (abort.aborted) return { kind: "unreached", reason: "stopped before the request was sent" }
  const over = new AbortController()
  const takeBack = whenOverdue(timeoutMs, () => over.abort(new Error("no answer in time")))
  let grace: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    grace = setTimeout(() => over.abort(new Error("stopped before an answer came")), graceMs)
  }
  abort.addEventListener("abort", stop, { once: true })
  try {
    const { method, url, headers, body = null } = request
    // That of `HTTP_PROXY` does not reach this machine.
    const direct = isLoopbackHost(new URL(url).hostname) ? ({ proxy: false } as const) : {}
    const response = await fetch(url, { method, headers, body, redirect: "manual", signal: over.signal, ...direct })
    return { kind: "answered", status: response.status, headers: response.headers, text: await textOf(response) }
  } catch (cause) {
    return failed(over.signal.aborted ? over.signal.reason : cause)
  } finally {
    takeBack()
    clearTimeout(grace)
    abort.removeEventListener("abort", stop)
  }
}

async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.byteLength
    if (length > mostBytes) throw new Error("the answer is too long")
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

// Name not found, connection refused, TLS failed: all of these come before the request is sent.
const beforeRequest =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|EPROTO|ConnectionRefused|FailedToOpenSocket)$/
const tlsFault = /ERR_TLS|ERR_SSL/
/** How the runtime begins the message of an answer that it cannot read; the address, which may be secret, follows. */
const unreadable = /^(\w+) fetching "/

function failed(cause: unknown): ApiAnswer {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  if (isCertificateFault(code) || tlsFault.test(code))
    return { kind: "unreached", reason: `the certificate is not trusted (${code})` }
  if (beforeRequest.test(code)) return { kind: "unreached", reason: `no connection (${code})` }
  if (code === "ECONNRESET") return { kind: "lost", reason: "the connection was closed" }
  const reason = reasonOf(cause)
  const [, name] = unreadable.exec(reason) ?? []
  return { kind: "lost", reason: name === undefined ? reason : `the answer cannot be read (${name})` }
}

const longestReason = 400

/** Makes a text from a provider fit to be stored: one line, printable, of limited length, without the secret. */
export function showable(words: string, secrets: readonly string[]): string {
  let line = words.slice(0, 20_000)
  for (const secret of secrets) if (secret !== "") line = line.replaceAll(secret, "***")
  line = line.replace(/[\s\p{C}]+/gu, " ").trim()
  return line.length > longestReason ? `${line.slice(0, longestReason).toWellFormed()}…` : line
}

/** The JSON object in an answer; undefined when there is none. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = jsonOf(text)
  return isObject(value) ? value : undefined
}

/** The address of an API that an operator set in the place of the provider's own. Throws an Error with `name` in it. */
export function readEndpoint(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackHost(url.hostname))
  if (url === undefined || !isSafe) throw new Error(`${name} is an https: URL, or an http: URL of this machine`)
  return url.href.endsWith("/") ? url.href.slice(0, -1) : url.href
}
