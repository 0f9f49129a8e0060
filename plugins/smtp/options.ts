import { domainToASCII } from "node:url"

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
  /** How long to wait for the server. */
  readonly silenceMs: number
  /** The name in EHLO; null: the machine's name. */
  readonly name: string | null
}

const known = ["tls", "insecure", "pool", "connect_timeout", "timeout", "name"]

/** Throws an Error that names the fault, without secrets. */
export function readOptions(url: URL): SmtpOptions {
  const secure = url.protocol === "smtps:"
  const query = new Map(url.searchParams)
  for (const name of query.keys()) {
    if (!known.includes(name)) throw new Error(`there is no option "${name}"; the options are ${known.join(", ")}`)
  }
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
    silenceMs: 1_000 * readNumber("timeout", query.get("timeout"), seconds(120)),
    name: readName(query.get("name")),
  }
}

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
