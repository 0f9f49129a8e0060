import { isIP } from "node:net"
import { Readable } from "node:stream"
import { type AuthenticateResult, authenticate, type DMARCResult, type DNSResolver, dmarc } from "mailauth"
import { domainOf } from "../kernel/email-address.ts"
import type { Dns, DnsAnswer } from "../net/dns.ts"
import { headEnd } from "./header-fields.ts"

/** A received message, and who delivered it. */
export interface Arrival {
  readonly raw: Uint8Array
  readonly remoteAddress: string
  readonly helo: string
  /** Empty for the null sender. */
  readonly mailFrom: string
  /** The name of this server. */
  readonly hostname: string
}

/**
 * `GRAY`: there is nothing to judge by, or only a neutral result. `PROCESSING_FAILED`: the DNS gave no answer in time.
 */
type Verdict = "PASS" | "FAIL" | "GRAY" | "PROCESSING_FAILED"

interface Verdicts {
  readonly spf: Verdict
  readonly dkim: Verdict
  readonly dmarc: Verdict
  readonly arc: Verdict
}

export interface Judgement extends Verdicts {
  /** The Authentication-Results field (RFC 8601), folded, with CRLF at its end; empty when there is none. */
  readonly header: string
}

/** Judges who a message is from: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489), ARC (RFC 8617). */
export async function judge({ raw, remoteAddress, helo, mailFrom, hostname }: Arrival, dns: Dns): Promise<Judgement> {
  const resolver = resolverOf(dns)
  const message = withFewSignatures(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength))
  const found = await authenticate(Readable.from(piecesOf(message)), {
    ip: remoteAddress,
    helo,
    sender: mailFrom,
    mta: hostname,
    disableBimi: true,
    // RFC 8301, 3.1; that RSA keys have 1024 bits is what the package demands by itself.
    rejectRsaSha1: true,
    resolver,
  })
  const { spf, dkim, arc, headers } = found
  // The package calls a changed body `neutral`.
  const results: string[] = dkim.results.map(({ status }) => (status.comment === changedBody ? "fail" : status.result))
  return {
    spf: verdictOf(spf ? spf.status.result : "none"),
    // One good signature is enough (RFC 6376, 6.1), which one without an answer may be.
    dkim: verdictOf(["pass", unanswered, "fail"].find((one) => results.includes(one)) ?? results[0] ?? "none"),
    dmarc: verdictOf(worstOf((await dmarcsOf(found, resolver)).map((one) => dmarcOf(found, one)))),
    arc: verdictOf(arc ? arc.status.result : "none"),
    header: /^Authentication-Results:[^\r\n]*\r\n(?:[ \t][^\r\n]*\r\n)*/m.exec(headers)?.[0] ?? "",
  }
}

const mostSignatures = 10
/** The package also takes a name that is folded before its colon. */
const signature = /^dkim-signature/gim

/** Only the first signatures are verified (RFC 6376, 6.1): each can ask for a hash of its own of the whole message. */
function withFewSignatures(raw: Buffer): Buffer {
  const end = headEnd(raw)
  let count = 0
  const head = raw
    .toString("latin1", 0, end)
    .replace(signature, (name) => (count++ < mostSignatures ? name : `X-${name}`))
  return count > mostSignatures ? Buffer.concat([Buffer.from(head, "latin1"), raw.subarray(end)]) : raw
}

/** The time to read a line of the body grows with the square of its pieces, which the package itself makes a 60th as large. */
const pieceBytes = 4 * 1_048_576

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

const mostAuthors = 10

/**
 * A message with several authors is judged for each of them (RFC 7489, 6.6.1), because any could be forged; the package
 * would judge none.
 */
async function dmarcsOf(
  { spf, dkim, dmarc: ofOne, arc }: AuthenticateResult,
  resolver: DNSResolver,
): Promise<DMARCResult[]> {
  if (ofOne) return [ofOne]
  const passed = dkim.results.filter(({ status }) => status.result === "pass")
  const authors = new Map(dkim.headerFrom.map((one) => [domainOf(one).toLowerCase(), one]))
  const found: DMARCResult[] = []
  for (const headerFrom of [...authors.values()].slice(0, mostAuthors)) {
    const one = await dmarc({
      headerFrom,
      spfDomains: spf && spf.status.result === "pass" ? [spf.domain] : [],
      dkimDomains: passed.flatMap(({ signingDomain }) => (signingDomain ? [{ domain: signingDomain }] : [])),
      ...(arc && { arcResult: arc }),
      resolver,
    })
    if (one) found.push(one)
  }
  return found
}

/** The combined result: passes only if each of them does. */
const worstOf = (results: readonly string[]): string =>
  ["fail", unanswered].find((one) => results.includes(one)) ??
  results.find((one) => one !== "pass") ??
  results[0] ??
  "none"

/**
 * The package lets DMARC fail also while there is no answer about a signature or a sender that may speak for the domain of
 * the author.
 */
function dmarcOf({ spf, dkim }: AuthenticateResult, { status: { result, header } }: DMARCResult): string {
  const isUnknown =
    dkim.results.some(({ status }) => status.result === unanswered && status.aligned) ||
    (spf && spf.status.result === unanswered && isRelated(spf.domain, header?.from ?? ""))
  return result === "fail" && isUnknown ? unanswered : result
}

/** Whether one domain is the other, or above it. */
const isRelated = (one: string, other: string): boolean =>
  `.${one}`.endsWith(`.${other}`) || `.${other}`.endsWith(`.${one}`)

const changedBody = "body hash did not verify"
const unanswered = "temperror"

function verdictOf(result: string): Verdict {
  switch (result) {
    case "pass":
      return "PASS"
    case "fail":
      return "FAIL"
    case "temperr":
    case "temperror":
      return "PROCESSING_FAILED"
    default:
      return "GRAY"
  }
}

/** Lookups with the answers and errors of `node:dns`; reverse lookups, which SPF advises against, find nothing. */
function resolverOf(dns: Dns): DNSResolver {
  const resolve = async (name: string, type: string): Promise<unknown[]> => {
    switch (type) {
      case "TXT":
        return recordsIn(await dns.txt(name), (text) => [text])
      case "MX":
        return recordsIn(await dns.mx(name), (mx) => mx)
      case "CNAME":
        return recordsIn(await dns.cname(name), (target) => target)
      case "A":
      case "AAAA": {
        const found = recordsIn(await dns.addresses(name), (address) => address)
        const ofType = found.filter((address) => isIP(address) === (type === "A" ? 4 : 6))
        if (ofType.length === 0) throw lookupError("ENODATA")
        return ofType
      }
      default:
        throw lookupError("ENODATA")
    }
  }
  // The type of the package leaves out MX.
  return resolve as DNSResolver
}

function recordsIn<R, T>(answer: DnsAnswer<R>, as: (record: R) => T): T[] {
  switch (answer.kind) {
    case "found":
      return answer.records.map(as)
    case "none":
      throw lookupError("ENODATA")
    case "no_domain":
      throw lookupError("ENOTFOUND")
    case "no_answer":
      throw lookupError("ETIMEOUT")
  }
}

const lookupError = (code: string): Error => Object.assign(new Error(code), { code })
