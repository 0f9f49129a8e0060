import { randomInt } from "node:crypto"
import {
  type Answer,
  type DecodedPacket,
  decode,
  encode,
  type OptAnswer,
  RECURSION_DESIRED,
  type TxtData,
} from "dns-packet"

export interface Mx {
  readonly priority: number
  /**
   * Lower case, without the trailing dot; empty in the null MX, which says that the domain accepts no mail (RFC 7505).
   */
  readonly exchange: string
}

/** The parsed form of the records of each type. The strings of one TXT record are joined (RFC 7208, 3.3). */
export interface Records {
  readonly A: string
  readonly AAAA: string
  readonly MX: Mx
  readonly TXT: string
  readonly CNAME: string
  readonly PTR: string
}

export type RecordType = keyof Records

export interface Question<T extends RecordType = RecordType> {
  /** Canonical, see `canonicalName`. */
  readonly name: string
  readonly type: T
}

/** The answer of one server. */
export type Reply<T extends RecordType> =
  | { readonly kind: "found"; readonly records: readonly Records[T][]; readonly ttlSeconds: number }
  | { readonly kind: "none" }
  | { readonly kind: "no_domain" }
  /** The name is an alias (CNAME) of another one, which the answer does not contain. */
  | { readonly kind: "alias"; readonly name: string }
  /** Too large for a datagram: the query must be repeated over TCP. */
  | { readonly kind: "truncated" }
  /** The server does not understand the query, as old ones with EDNS. */
  | { readonly kind: "not_understood" }
  | { readonly kind: "refused" }

export interface Query<T extends RecordType> {
  readonly bytes: Uint8Array
  /** Undefined for bytes that do not answer this query. */
  read(bytes: Uint8Array): Reply<T> | undefined
}

/** The size of datagrams that resolvers agreed on to avoid fragmentation. */
const datagramBytes = 1232

const extension: OptAnswer = {
  type: "OPT",
  name: ".",
  udpPayloadSize: datagramBytes,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
}

/** A query under a random id. With `edns` the answer may be larger than the 512 bytes of RFC 1035 (RFC 6891). */
export function createQuery<T extends RecordType>(question: Question<T>, edns: boolean): Query<T> {
  const id = randomInt(65_536)
  const bytes = encode({
    type: "query",
    id,
    flags: RECURSION_DESIRED,
    questions: [question],
    additionals: edns ? [extension] : [],
  })
  return { bytes, read: (answer) => readReply(answer, id, question) }
}

function readReply<T extends RecordType>(bytes: Uint8Array, id: number, question: Question<T>): Reply<T> | undefined {
  const packet = decoded(bytes)
  if (packet === undefined) return isCutOff(bytes, id) ? { kind: "truncated" } : undefined
  if (packet.type !== "response" || packet.id !== id) return undefined
  const [asked, ...more] = packet.questions ?? []
  if (asked === undefined && packet.rcode === "FORMERR") return { kind: "not_understood" }
  if (asked === undefined || more.length > 0) return undefined
  if (canonicalName(asked.name) !== question.name || asked.type !== question.type || asked.class !== "IN")
    return undefined
  if (packet.flag_tc) return { kind: "truncated" }
  switch (packet.rcode) {
    case "NOERROR":
      return isReferral(packet) ? { kind: "refused" } : answerTo(question, packet.answers ?? [])
    case "NXDOMAIN":
      return { kind: "no_domain" }
    case "FORMERR":
    case "NOTIMP":
      return { kind: "not_understood" }
    default:
      return { kind: "refused" }
  }
}

/** An answer marked as truncated may end in the middle of a record. */
const isCutOff = ([high = 0, low = 0, flags = 0]: Uint8Array, id: number): boolean =>
  high * 256 + low === id && (flags & responseAndTruncated) === responseAndTruncated

const responseAndTruncated = 0x82

/** The server is neither authoritative nor recursive, and only names other servers (RFC 1034, 4.3.1). */
const isReferral = ({ answers, flag_aa, flag_ra }: DecodedPacket): boolean =>
  (answers ?? []).length === 0 && !flag_aa && !flag_ra

/**
 * Undefined for an invalid message or only the beginning of one, which the package would read past its end. The
 * package's types lack the response code.
 */
function decoded(bytes: Uint8Array): (DecodedPacket & { rcode?: string }) | undefined {
  try {
    const packet = decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    return decode.bytes <= bytes.byteLength ? packet : undefined
  } catch {
    return undefined
  }
}

/** The records at the end of the chain of aliases from the question. */
function answerTo<T extends RecordType>({ name, type }: Question<T>, answers: readonly Answer[]): Reply<T> {
  const byName = Map.groupBy(answers, (answer) => canonicalName(answer.name))
  let at = name
  let ttlSeconds = Number.POSITIVE_INFINITY
  for (let hops = 0; hops <= answers.length; hops++) {
    const here = byName.get(at) ?? []
    const found = here.filter((answer) => answer.type === type)
    const records = found.map(readers[type]).filter((record) => record !== undefined)
    if (records.length > 0) return { kind: "found", records, ttlSeconds: Math.min(ttlSeconds, ...found.map(ttlOf)) }
    const alias = here.find((answer) => answer.type === "CNAME")
    const next = alias && readers.CNAME(alias)
    if (next === undefined) return at === name ? { kind: "none" } : { kind: "alias", name: at }
    ttlSeconds = Math.min(ttlSeconds, ...here.map(ttlOf))
    at = next
  }
  return { kind: "none" }
}

const readers: { readonly [T in RecordType]: (answer: Answer) => Records[T] | undefined } = {
  A: (answer) => (answer.type === "A" ? answer.data : undefined),
  AAAA: (answer) => (answer.type === "AAAA" ? answer.data : undefined),
  CNAME: (answer) => (answer.type === "CNAME" ? canonicalName(answer.data) : undefined),
  PTR: (answer) => (answer.type === "PTR" ? canonicalName(answer.data) : undefined),
  MX: (answer) =>
    answer.type === "MX"
      ? { priority: answer.data.preference ?? 0, exchange: canonicalName(answer.data.exchange) }
      : undefined,
  TXT: (answer) => (answer.type === "TXT" ? joined(answer.data) : undefined),
}

const joined = (strings: TxtData): string =>
  Buffer.concat([strings].flat().map((part) => (typeof part === "string" ? Buffer.from(part) : part))).toString()

const ttlOf = (answer: Answer): number => ("ttl" in answer ? (answer.ttl ?? 0) : 0)

/** Names are compared ignoring case and a trailing dot (RFC 1035, 2.3.3). The root is empty. */
export const canonicalName = (name: string): string => name.toLowerCase().replace(/\.$/, "")

/** Whether a name fits into a question (RFC 1035, 2.3.4). A name that does not fit cannot exist. */
export const isAskable = (name: string): boolean =>
  name.length <= 253 && name.split(".").every((label) => label.length >= 1 && label.length <= 63)
