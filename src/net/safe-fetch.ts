import { isUtf8 } from "node:buffer"
import http from "node:http"
import https from "node:https"
import { isIP } from "node:net"
import { certificateFaultOf, isCertificateFault } from "../kernel/certificate-fault.ts"
import { type Clock, second } from "../kernel/clock.ts"
import { reasonOf } from "../kernel/log.ts"
import { parseUrl } from "../kernel/url.ts"
import type { Dns } from "./dns.ts"
import { createHostAddresses, type SystemLookup } from "./host-addresses.ts"

/**
 * The outcome of a request. `refused`: the target is not allowed, so nothing was sent to it. `failed`: no answer, or
 * none within the limits. The reasons do not reveal addresses of the host.
 */
export type Fetched =
  | { readonly outcome: "answered"; readonly status: number; readonly headers: FetchHeaders; readonly body: Uint8Array }
  | { readonly outcome: "refused"; readonly reason: string }
  | { readonly outcome: "failed"; readonly reason: string }

/** Names in lower case; values of a repeated header are joined by ", ". */
type FetchHeaders = Readonly<Record<string, string>>

export interface FetchOptions {
  readonly method?: string
  /** Sent in UTF-8. Those of the connection are left out: Host, Content-Length, Transfer-Encoding and the like. */
  readonly headers?: FetchHeaders
  /** The names of those headers that a redirect takes to another origin too; none when absent. */
  readonly shared?: readonly string[]
  readonly body?: string | Uint8Array
  /** Redirects that are followed; 0 when absent, and the redirect is then the answer. */
  readonly redirects?: number
  /** The largest body of an answer; 64 KB when absent. */
  readonly maxBytes?: number
  /** A larger body is cut there; without it, it is a failure. */
  readonly cutsBody?: boolean
  /** For all hops together; 10 seconds when absent. */
  readonly timeoutMs?: number
  readonly abort?: AbortSignal
}

/** A request to a URL from an untrusted source. Never rejects. */
export type SafeFetch = (url: string, options?: FetchOptions) => Promise<Fetched>

interface SafeFetchDeps {
  readonly dns: Pick<Dns, "addresses">
  readonly clock: Clock
  /** IP addresses, ranges and host names that may be reached although they are not public. */
  readonly allow?: readonly string[]
  /** Certificates that are trusted instead of the well-known ones. */
  readonly ca?: string
  /** For a host in `allow` that the DNS does not know; the system's own when absent. */
  readonly system?: SystemLookup
}

const givenUp = "The request was given up."
const closed = "closed the connection; its log may say why."
const hungUp = `There was no answer: the host, or a proxy before it, ${closed}`
const noTls = "TLS failed: the host may speak plain http at this port, or no version of TLS from 1.2 on."
const brokenOff = `The answer broke off: the host, or a proxy before it, ${closed}`

/** The reason of a failure that another attempt would have too. */
export const tooManyRedirects = "There are too many redirects."

/** The time limit for connecting to an address when there is another one. */
const connectMs = 3 * second
/** The most answers with a status below 200 before the answer itself. */
const mostInterim = 20
const usual = { maxBytes: 65_536, timeoutMs: 10 * second }
const redirects = [301, 302, 303, 307, 308]
const ofConnection =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|proxy-.*|accept-encoding)$/
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/
const headerValue = /^[\t\x20-\x7e\x80-\u{10ffff}]*$/u

/**
 * The one client for outbound HTTP. A host is looked up once per hop, all its addresses must be public, and the
 * connection goes to the first of these very addresses that takes it, so that a second answer of the DNS has no effect;
 * TLS still proves the name.
 */
export function createSafeFetch({ dns, clock, allow = [], ca, system }: SafeFetchDeps): SafeFetch {
  const addressesOf = createHostAddresses({ dns, allow, ...(system && { system }) })

  /** Sends the request to the first address that accepts a connection; nothing is sent before that. */
  async function ask(
    url: URL,
    [address = "", ...others]: readonly string[],
    request: FetchOptions,
    abort: AbortSignal,
  ): Promise<Fetched> {
    const attempt = new AbortController()
    const connected = new AbortController()
    const onConnect = () => connected.abort()
    const signal = AbortSignal.any([abort, attempt.signal])
    const answer = exchange({ url, address, ca, onConnect }, request, signal)
    if (others.length === 0) return answer
    const limit = clock.sleep(connectMs, AbortSignal.any([signal, connected.signal]))
    void limit.then(() => connected.signal.aborted || attempt.abort())
    const fetched = await answer
    const isOver = connected.signal.aborted || abort.aborted
    attempt.abort()
    return isOver ? fetched : ask(url, others, request, abort)
  }

  async function follow(given: string, options: FetchOptions, abort: AbortSignal): Promise<Fetched> {
    let target = parse(given)
    let request = options
    for (let left = options.redirects ?? 0; ; left--) {
      if (!(target instanceof URL)) return target
      const vetted = await addressesOf(target)
      if (vetted.is === "none") return failed("The host was not found.")
      if (vetted.is === "unknown") return failed("No DNS server answered where the host is.")
      if (vetted.is === "closed") return refused("The host has no public address.")
      if (abort.aborted) return failed(givenUp)
      const answer = await ask(target, vetted.addresses, request, abort)
      const location = answer.outcome === "answered" ? answer.headers.location : undefined
      if (answer.outcome !== "answered" || location === undefined || !redirects.includes(answer.status)) return answer
      if (options.redirects === undefined || options.redirects === 0) return answer
      if (left === 0) return failed(tooManyRedirects)
      const next = parse(inUtf8(location), target)
      request = redirected(request, answer.status, next instanceof URL && next.origin === target.origin)
      target = next
    }
  }

  return async (url, options = {}) => {
    const limit = new AbortController()
    const giveUp = () => limit.abort()
    if (options.abort?.aborted) giveUp()
    options.abort?.addEventListener("abort", giveUp, { once: true })
    const timeout = clock.sleep(options.timeoutMs ?? usual.timeoutMs, limit.signal)
    try {
      return await Promise.race([
        follow(url, options, limit.signal).catch((cause) => failed(faultOf(cause))),
        timeout.then(() => failed("There was no answer in time.")),
      ])
    } finally {
      options.abort?.removeEventListener("abort", giveUp)
      giveUp()
    }
  }
}

type Refusal = Exclude<Fetched, { outcome: "answered" }>

const refused = (reason: string): Refusal => ({ outcome: "refused", reason })
const failed = (reason: string): Refusal => ({ outcome: "failed", reason })

/** The parser gives every notation of an IPv4 address its normal form: decimal, octal, hexadecimal, short, full-width. */
function parse(text: string, base?: URL): URL | Refusal {
  const url = parseUrl(text, base)
  if (url === undefined) return refused("This is not an address.")
  if (url.protocol !== "http:" && url.protocol !== "https:") return refused("Only http and https are possible.")
  if (url.username !== "" || url.password !== "") return refused("The address must have no user and no password.")
  return url
}

/** The request after a redirect (RFC 9110, 15.4; contract B5.8.3). Another origin gets only the shared headers. */
function redirected(options: FetchOptions, status: number, sameOrigin: boolean): FetchOptions {
  const { headers, body, method = "GET", ...rest } = options
  const becomesGet = [301, 302, 303].includes(status) && method !== "HEAD"
  const kept = withHeaders(headers, (name) => sameOrigin || rest.shared?.includes(name) === true)
  if (becomesGet) return { ...rest, method: "GET", headers: withHeaders(kept, (name) => !/^content-/i.test(name)) }
  return { ...rest, method, headers: kept, ...(body !== undefined && { body }) }
}

const withHeaders = (headers: FetchHeaders = {}, isKept: (name: string) => boolean): FetchHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name)))

interface Hop {
  readonly url: URL
  /** Where the connection goes. */
  readonly address: string
  readonly ca: string | undefined
  /**
   * Called before anything is sent, once TLS has verified the name, and also when TLS has failed because of what the
   * host sent.
   */
  readonly onConnect: () => void
}

/** One request and its answer, over a connection of its own. */
function exchange({ url, address, ca, onConnect }: Hop, options: FetchOptions, abort: AbortSignal): Promise<Fetched> {
  const headers = headersOf(options.headers ?? {})
  if (headers === undefined) return Promise.resolve(refused("A header has characters that headers must not have."))
  const isSecure = url.protocol === "https:"
  const named = url.hostname.replace(/^\[|\]$/g, "")
  const { method = "GET", body, maxBytes = usual.maxBytes, cutsBody = false } = options
  return new Promise((resolve) => {
    const end = (fetched: Fetched) => {
      resolve(fetched)
      request.destroy()
    }
    const request = (isSecure ? https : http).request({
      host: address,
      port: url.port === "" ? (isSecure ? 443 : 80) : Number(url.port),
      ...(isIP(named) === 0 && { servername: named }),
      ...(ca !== undefined && { ca: [ca] }),
      method,
      path: url.pathname + url.search,
      headers: {
        ...headers,
        host: url.host,
        "accept-encoding": "identity",
        // The client frames the body of a method that usually has one, and sends that of DELETE without a length.
        ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
      },
      agent: false,
      signal: abort,
    })
    request.on("socket", (socket) => socket.once(isSecure ? "secureConnect" : "connect", onConnect))
    const breakOff = () => end(failed(abort.aborted ? givenUp : brokenOff))
    let isHeadThere = false
    request.on("error", (cause) => {
      if (isTlsFault(codeOf(cause))) onConnect()
      // More than the length that was told: the answer is whole by then, or its own error follows.
      if (isHeadThere && isNotHttp(cause)) return
      // An incomplete response header counts as an answer too.
      if (isHangUp(cause) && (request.socket?.bytesRead ?? 0) > 0) breakOff()
      else end(failed(faultOf(cause)))
    })
    let interim = 0
    request.on("information", () => {
      if (++interim > mostInterim) end(failed("The host sends interim answers without end."))
    })
    request.on("response", (response) => {
      isHeadThere = true
      const chunks: Buffer[] = []
      let size = 0
      const answered = () =>
        end({
          outcome: "answered",
          status: response.statusCode ?? 0,
          headers: received(response.headers),
          body: new Uint8Array(Buffer.concat(chunks).subarray(0, maxBytes)),
        })
      response.on("data", (chunk: Buffer) => {
        size += chunk.length
        if (size > maxBytes && !cutsBody) return end(failed(`The answer is larger than ${maxBytes} bytes.`))
        chunks.push(chunk)
        if (size > maxBytes) answered()
      })
      response.on("error", breakOff)
      response.on("close", breakOff)
      response.on("end", () => (response.complete ? answered() : breakOff()))
    })
    // With a text the client would send the headers as UTF-8 too, and those are UTF-8 already.
    request.end(typeof body === "string" ? Buffer.from(body) : body)
  })
}

/** As they are sent, in UTF-8. Undefined when a header could become two, or a part of the body. */
function headersOf(given: FetchHeaders): Record<string, string> | undefined {
  const headers: Record<string, string> = {}
  for (const [written, value] of Object.entries(given)) {
    const name = written.toLowerCase()
    if (!headerName.test(name) || !headerValue.test(value)) return undefined
    // The client sends each character as one byte, and refuses those above U+00FF.
    if (!ofConnection.test(name)) headers[name] = Buffer.from(value).toString("latin1")
  }
  return headers
}

/** Servers write it as they have it; the client reads each byte as one character (RFC 9110, 5.5). */
function inUtf8(value: string): string {
  const bytes = Buffer.from(value, "latin1")
  return isUtf8(bytes) ? bytes.toString() : value
}

const received = (headers: http.IncomingHttpHeaders): FetchHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]))

const codeOf = (cause: unknown): string => (cause instanceof Error && "code" in cause ? String(cause.code) : "")
const isHangUp = (cause: unknown): boolean => /^(?:ECONNRESET|EPIPE|ERR_SOCKET_CLOSED)$/.test(codeOf(cause))
const isTlsFault = (code: string): boolean => isCertificateFault(code) || code.startsWith("ERR_SSL")
const isNotHttp = (cause: unknown): boolean => codeOf(cause).startsWith("HPE_")

/** Describes the failure without the resolved address: otherwise this could be used as a port scanner. */
function faultOf(cause: unknown): string {
  const code = codeOf(cause)
  if (isCertificateFault(code)) return `The certificate of the host is not valid: ${certificateFaultOf(code)}.`
  if (/ECONNREFUSED|ConnectionRefused|EHOSTUNREACH|ENETUNREACH/.test(code)) return "The host accepts no connection."
  if (isTlsFault(code)) return noTls
  if (code === "HPE_HEADER_OVERFLOW") return "The head of the answer is too large."
  if (isNotHttp(cause)) return "What answers at this port does not speak HTTP as it should."
  if (isHangUp(cause)) return hungUp
  if (code === "ABORT_ERR" || reasonOf(cause).includes("abort")) return givenUp
  return "The connection failed."
}
