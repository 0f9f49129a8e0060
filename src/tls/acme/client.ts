import { buildInfo } from "../../kernel/build-info.ts"
import { type Clock, day, second } from "../../kernel/clock.ts"
import { isObject } from "../../kernel/json.ts"
import type { Fetched, FetchOptions, SafeFetch } from "../../net/safe-fetch.ts"
import type { AccountKey } from "./account-key.ts"

/** A certificate authority refused, or could not be asked. The message is a sentence for the operator. */
export class AcmeProblem extends Error {
  constructor(
    message: string,
    /** The last part of the problem's type, for example `rateLimited` (RFC 8555, 6.7). */
    readonly type?: string,
    /** How long to wait before another attempt, as the authority says. */
    readonly retryAfterMs?: number,
  ) {
    super(message)
    this.name = "AcmeProblem"
  }
}

/** A JSON object of the authority. */
export type Fields = Record<string, unknown>

export interface AcmeReply {
  /** The URL of what was made. */
  readonly location: string | undefined
  readonly retryAfterMs: number | undefined
  /** Empty for an answer in another format than JSON. */
  readonly body: Fields
  readonly text: string
}

interface AcmeClientDeps {
  readonly directory: string
  readonly send: SafeFetch
  readonly clock: Pick<Clock, "now">
  readonly key: AccountKey
  readonly abort: AbortSignal
}

/** Authorities refuse requests without one (RFC 8555, 6.1). */
const userAgent = `Mailstead/${buildInfo.version}`
const attempts = 5
const timeoutMs = 30 * second
/** The longest pause: an authority that says "never" is asked again the next day. */
const longestWaitMs = day

type Answered = Extract<Fetched, { outcome: "answered" }>

/**
 * Speaks to one certificate authority (RFC 8555, 6): signed requests with a nonce each. A nonce that the authority does not
 * accept any more is replaced, any other refusal is thrown as an `AcmeProblem`.
 */
export function createAcmeClient({ directory: directoryUrl, send, clock, key, abort }: AcmeClientDeps) {
  let known: Fields | undefined
  let kid: string | undefined
  const nonces: string[] = []

  async function ask(url: string, { headers, ...options }: FetchOptions = {}): Promise<Answered> {
    const fetched = await send(url, { timeoutMs, abort, headers: { ...headers, "user-agent": userAgent }, ...options })
    if (fetched.outcome !== "answered")
      throw new AcmeProblem(
        `The certificate authority at ${new URL(directoryUrl).host} cannot be asked: ${fetched.reason}`,
      )
    const nonce = fetched.headers["replay-nonce"]
    if (nonce !== undefined) nonces.push(nonce)
    return fetched
  }

  /** The URL of a resource in the directory; undefined when the authority does not have it. */
  async function resource(name: string): Promise<string | undefined> {
    known ??= replyOf(await ask(directoryUrl), clock.now()).body
    const url = known[name]
    return typeof url === "string" ? url : undefined
  }

  async function requireResource(name: string): Promise<string> {
    const url = await resource(name)
    if (url === undefined) throw new AcmeProblem(`The directory ${directoryUrl} is not one of an ACME server.`)
    return url
  }

  async function nonce(): Promise<string> {
    const kept = nonces.pop()
    if (kept !== undefined) return kept
    await ask(await requireResource("newNonce"), { method: "HEAD" })
    const fresh = nonces.pop()
    if (fresh === undefined) throw new AcmeProblem("The certificate authority gives no nonce.")
    return fresh
  }

  /** @param payload undefined reads what is at the URL (POST-as-GET) */
  async function post(url: string, payload?: Fields): Promise<AcmeReply> {
    for (let left = attempts; ; left--) {
      const body = key.sign(payload === undefined ? "" : JSON.stringify(payload), { nonce: await nonce(), url, kid })
      const answer = await ask(url, { method: "POST", headers: { "content-type": "application/jose+json" }, body })
      try {
        return replyOf(answer, clock.now())
      } catch (cause) {
        if (!(cause instanceof AcmeProblem) || cause.type !== "badNonce" || left <= 1) throw cause
      }
    }
  }

  return {
    resource,
    post,
    /** Something that everybody may read. */
    get: async (url: string): Promise<AcmeReply> => replyOf(await ask(url), clock.now()),

    /** Makes the account of the key, or finds it. Agrees to the terms of service. */
    async signIn(email: string | null): Promise<void> {
      const contact = email === null ? {} : { contact: [`mailto:${email}`] }
      const { location } = await post(await requireResource("newAccount"), { termsOfServiceAgreed: true, ...contact })
      kid = location
    },

    order: async (order: Fields): Promise<AcmeReply> => post(await requireResource("newOrder"), order),
  }
}

export type AcmeClient = ReturnType<typeof createAcmeClient>

function replyOf({ status, headers, body: bytes }: Answered, now: number): AcmeReply {
  const text = new TextDecoder().decode(bytes)
  const body = jsonOf(text)
  const retryAfterMs = waitOf(headers["retry-after"], now)
  if (status >= 400) throw problemOf(body, status, retryAfterMs)
  return { location: headers.location, retryAfterMs, body, text }
}

function jsonOf(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** The problem document of an error, of a challenge, or of an order (RFC 8555, 6.7). */
export function problemOf(body: unknown, status?: number, retryAfterMs?: number): AcmeProblem {
  const { type, detail, subproblems } = isObject(body) ? body : {}
  const details = [
    detail,
    ...(Array.isArray(subproblems) ? subproblems : []).map((each) => isObject(each) && each.detail),
  ]
  const said = details.filter((each) => typeof each === "string").map(line)
  const message = said.join("; ") || `The certificate authority answered ${status ?? "with an error without a reason"}.`
  return new AcmeProblem(message, typeof type === "string" ? type.split(":").at(-1) : undefined, retryAfterMs)
}

/** The authority's words go to a terminal and to pages. */
const line = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, " ").slice(0, 500)

/** Seconds or a date (RFC 9110, 10.2.3). */
function waitOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * second : Date.parse(header) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), longestWaitMs)
}
