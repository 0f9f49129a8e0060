import { type Clock, minute, second } from "../../kernel/clock.ts"
import { isObject } from "../../kernel/json.ts"
import { type Certificate, factsOf, requirePair } from "../certificate.ts"
import { type AccountKey, newKey, pemOf } from "./account-key.ts"
import { type AcmeClient, AcmeProblem, type AcmeReply, type Fields, problemOf } from "./client.ts"

interface OrderDeps {
  readonly client: AcmeClient
  readonly account: Pick<AccountKey, "authorization">
  /** The answers to challenges, by their token, which are served at port 80. */
  readonly challenges: Map<string, string>
  readonly clock: Clock
  readonly abort: AbortSignal
}

interface OrderRequest {
  readonly names: readonly string[]
  /** The certificate that the new one replaces (RFC 9773, 5). */
  readonly replaces?: string | undefined
}

const longestMs = 5 * minute
const pauseMs = { first: second, most: 10 * second }

/**
 * Obtains a certificate (RFC 8555, 7.4): proves each name by HTTP-01, and resolves when the authority has signed. Throws an
 * `AcmeProblem`.
 */
export async function obtainCertificate(deps: OrderDeps, { names, replaces }: OrderRequest): Promise<Certificate> {
  const { client } = deps
  const identifiers = [...new Set(names)].map((value) => ({ type: "dns", value }))
  const placed = await client.order({ identifiers, ...(replaces !== undefined && { replaces }) })
  const url = placed.location
  if (url === undefined) throw new AcmeProblem("The certificate authority gave no address for the order.")
  for (const authorization of texts(placed.body.authorizations)) await prove(deps, authorization)

  const ready = await settled(deps, url, ["ready", "processing", "valid"])
  const key = newKey()
  // ASN.1 is loaded when it is needed: most starts do without.
  const { signingRequest } = await import("./signing-request.ts")
  const csr = signingRequest([...new Set(names)], key).toString("base64url")
  await client.post(text(ready.body.finalize), { csr })
  const { body } = await settled(deps, url, ["valid"])
  const { text: cert } = await client.post(text(body.certificate))
  return requireNames({ cert, key: pemOf(key) }, names)
}

/**
 * Proves that a name leads here, unless the authority knows. By HTTP-01 only: TLS-ALPN-01 shows a certificate of its own to
 * who asks for `acme-tls/1`, and `Bun.serve`, which has the port, chooses none by the protocol.
 */
async function prove(deps: OrderDeps, url: string): Promise<void> {
  const { client, account, challenges } = deps
  const { body } = await client.post(url)
  if (body.status === "valid") return
  const challenge = challengesOf(body).find(({ type }) => type === "http-01")
  if (challenge === undefined) throw new AcmeProblem(`The certificate authority offers no HTTP-01 for ${nameOf(body)}.`)
  const token = text(challenge.token)
  challenges.set(token, account.authorization(token))
  try {
    await client.post(text(challenge.url), {})
    await settled(deps, url, ["valid"])
  } finally {
    challenges.delete(token)
  }
}

/** Reads an order or an authorization until it has one of these states. */
async function settled(
  { client, clock, abort }: OrderDeps,
  url: string,
  states: readonly string[],
): Promise<AcmeReply> {
  const until = clock.now() + longestMs
  for (let pause = pauseMs.first; ; pause = Math.min(2 * pause, pauseMs.most)) {
    const reply = await client.post(url)
    const status = text(reply.body.status)
    if (states.includes(status)) return reply
    if (!["pending", "ready", "processing"].includes(status)) throw refusalOf(reply.body)
    // A date in `Retry-After` is in the past by a clock that is ahead.
    const wait = Math.max(reply.retryAfterMs ?? pause, pauseMs.first)
    if (clock.now() + wait > until) throw new AcmeProblem("The certificate authority does not come to an end.")
    await clock.sleep(wait, abort)
    if (abort.aborted) throw new AcmeProblem("The server was stopped.")
  }
}

/** Why an order or an authorization failed: it, or one of its challenges, has the problem. */
function refusalOf(body: Fields): AcmeProblem {
  const error = body.error ?? challengesOf(body).find((challenge) => isObject(challenge.error))?.error
  const { message, type } = problemOf(error)
  return new AcmeProblem(isObject(body.identifier) ? `${nameOf(body)}: ${message}` : message, type)
}

function requireNames(certificate: Certificate, names: readonly string[]): Certificate {
  try {
    const facts = factsOf(requirePair(certificate))
    if (names.every((name) => facts.names.includes(name))) return certificate
  } catch {
    // Said below.
  }
  throw new AcmeProblem("The certificate authority sent another certificate than was ordered.")
}

const challengesOf = ({ challenges }: Fields): Fields[] =>
  Array.isArray(challenges) ? challenges.filter((each) => isObject(each)) : []

const nameOf = ({ identifier }: Fields): string => (isObject(identifier) ? text(identifier.value) : "")

const text = (value: unknown): string => (typeof value === "string" ? value : "")
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : []
