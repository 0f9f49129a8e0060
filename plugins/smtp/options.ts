import { domainToASCII } from "node:url"
import { optionsIn } from "../../src/kernel/url-options.ts"

/** The options in an operator's URL of a mail server (contract A8.2). Durations are milliseconds. */
export interface SmtpOptions {
  readonly host: string
  readonly port: number
  readonly login: { readonly user: string; readonly password: string } | null
  /** `implicit`: from the first byte (smtps). `offered`: STARTTLS if the server supports it. */
  readonly tls: "implicit" | "required" | "offered" | "off"
  /** Accepts any certificate. */
  readonly insecure: boolean
  /** Concurrent connections. */
  readonly pool: number
  /** The time limit of connection, greeting and TLS together. */
  readonly connectMs: number
  readonly times: TimeLimits
  /** The name in EHLO; null: the machine's name. */
  readonly name: string | null
  /** How to log in; null: the best that the server offers. */
  readonly auth: Mechanism | null
  /** Whether nodemailer speaks with the server, in the place of our own client. */
  readonly nodemailer: boolean
}

const mechanisms = ["plain", "login", "cram-md5", "xoauth2"] as const
export type Mechanism = (typeof mechanisms)[number]

/** How long to wait for the reply to a command, in ms; `block` is for some of the content to leave. */
export interface TimeLimits {
  readonly mail: number
  readonly rcpt: number
  readonly data: number
  readonly block: number
  readonly final: number
  readonly other: number
  /** The whole hand-over of a message, a second attempt included. */
  readonly total: number
}

/**
 * Those of RFC 5321 (4.5.3.2). The last one could then take ten minutes, but a message belongs to one process for ten
 * minutes in all, so the hand-over ends before.
 */
const standardLimits: TimeLimits = {
  mail: 300_000,
  rcpt: 300_000,
  data: 120_000,
  block: 180_000,
  final: 600_000,
  other: 120_000,
  total: 570_000,
}

const sameLimits = (ms: number): TimeLimits => ({
  mail: ms,
  rcpt: ms,
  data: ms,
  block: ms,
  final: ms,
  other: ms,
  total: standardLimits.total,
})

const known = ["tls", "insecure", "pool", "connect_timeout", "timeout", "name", "auth", "client"]

/** Throws an Error that names the fault, without secrets. */
export function readOptions(url: URL): SmtpOptions {
  const secure = url.protocol === "smtps:"
  const query = optionsIn(url, known)
  const host = readHost(url)
  if (url.port === "0") throw new Error("port 0 cannot be dialled")
  return {
    host,
    port: url.port === "" ? (secure ? 465 : 587) : Number(url.port),
    login: readLogin(url),
    tls: readTls(query.get("tls"), secure),
    insecure: readFlag("insecure", query.get("insecure")),
    pool: readNumber("pool", query.get("pool"), { least: 1, most: 100, absent: 8 }),
    connectMs: 1_000 * readNumber("connect_timeout", query.get("connect_timeout"), seconds(10)),
    times: readLimits(query.get("timeout")),
    name: readName(query.get("name")),
    auth: readAuth(query.get("auth")),
    nodemailer: readClient(query.get("client"), query.has("auth")),
  }
}

/** A password is sent unencrypted only to this machine, or when the operator has switched TLS off. */
export const loginInClear = ({ tls, host }: SmtpOptions): boolean =>
  tls === "off" || /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)

export const noClearLogin = "the server offers no TLS, and a password is not sent in the clear; ?tls=off would allow it"
export const noLogin = "the server offers no login, but the URL has a user and a password"

const seconds = (absent: number) => ({ least: 0.05, most: 3_600, absent })

/** A name in ASCII form, or an address without brackets. */
function readHost({ hostname }: URL): string {
  // In URLs other than http: the host is still percent-encoded.
  const host = /^\[.*\]$/.test(hostname) ? hostname.slice(1, -1) : domainToASCII(decode("the host", hostname))
  if (host === "") throw new Error("the URL names no host that can be dialled")
  return host
}

function readLogin(url: URL): SmtpOptions["login"] {
  if (url.username === "" && url.password === "") return null
  if (url.username === "" || url.password === "") throw new Error("a login needs both user and password")
  return { user: decode("the user", url.username), password: decode("the password", url.password) }
}

function decode(what: string, text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error(`${what} has a % that is not written as %25`)
  }
}

function readTls(value: string | undefined, secure: boolean): SmtpOptions["tls"] {
  if (secure && value !== undefined && value !== "required")
    throw new Error("smtps: is TLS from the start; leave tls out")
  if (secure) return "implicit"
  if (value === undefined) return "offered"
  if (value === "required" || value === "off") return value
  throw new Error('tls is "required" or "off"; without it TLS is used when the server offers it')
}

function readFlag(name: string, value: string | undefined): boolean {
  if (value === undefined || value === "false") return false
  if (value === "true") return true
  throw new Error(`${name} is "true" or "false"`)
}

function readNumber(name: string, text: string | undefined, { least, most, absent }: Range): number {
  if (text === undefined) return absent
  const value = /^\d{1,6}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most && (least < 1 || Number.isInteger(value))) return value
  throw new Error(`${name} is a number from ${least} to ${most}`)
}

interface Range {
  readonly least: number
  readonly most: number
  readonly absent: number
}

function readName(value: string | undefined): string | null {
  if (value === undefined) return null
  if (/^[\w.:[\]-]{1,255}$/.test(value)) return value
  throw new Error("name is the host name to greet the server with")
}

const readLimits = (text: string | undefined): TimeLimits =>
  text === undefined ? standardLimits : sameLimits(1_000 * readNumber("timeout", text, seconds(120)))

function readAuth(value: string | undefined): Mechanism | null {
  const found = mechanisms.find((one) => one === value)
  if (value === undefined || found !== undefined) return found ?? null
  throw new Error(`auth is one of ${mechanisms.join(", ")}`)
}

function readClient(value: string | undefined, hasAuth: boolean): boolean {
  if (value === undefined) return false
  if (value !== "nodemailer") throw new Error('client is "nodemailer"; without it our own client is used')
  if (hasAuth) throw new Error("auth is an option of our own client; leave client out")
  return true
}
