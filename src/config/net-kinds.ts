import { isIP } from "node:net"
import { isAwsRegion } from "../kernel/aws-region.ts"
import { parseAddress, parseDomain } from "../kernel/email-address.ts"
import { listOf, shownAddress, textKind } from "./kinds.ts"

const hostLabel = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i

const isHostName = (text: string): boolean =>
  text.length <= 253 && text.split(".").every((label) => hostLabel.test(label)) && !/^[\d.]+$/.test(text)

const isHost = (text: string): boolean => isIP(text) !== 0 || isHostName(text)

/** An address to listen on, without brackets and without port. */
export const host = textKind("an IP address or a host name", (text) => (isHost(text) ? text : undefined))

export const hostName = textKind("a host name", (text) => (isHostName(text) ? text.toLowerCase() : undefined))

/** Without a slash at the end, so that a path can be appended. */
export const baseUrl = textKind(
  "an http:// or https:// address without user, query and fragment",
  (text) => {
    const url = webUrl(text)
    if (url === undefined || url.username !== "" || url.password !== "" || /[?#]/.test(text)) return undefined
    return url.origin + url.pathname.replace(/(?<!\/)\/+$/, "")
  },
  shownAddress,
)

/** `*` is not accepted, because these origins may send credentials (contract A1.11.2). */
export const origins = listOf(
  textKind("an origin such as https://app.example.com, without a path", (text) => {
    const url = webUrl(text)
    return url && `${url.origin}/` === url.href ? url.origin : undefined
  }),
)

function webUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined
}

export const dnsServers = listOf(
  textKind("the IP address of a DNS server, a port may follow", (text) => {
    const [, bracketed, port] = /^\[([^\]]+)\](?::(\d+))?$/.exec(text) ?? /^([^:]+):(\d+)$/.exec(text) ?? []
    const address = bracketed ?? text
    return isIP(address) !== 0 && Number(port ?? 53) <= 65_535 && Number(port ?? 53) > 0 ? text : undefined
  }),
)

export const domainNames = listOf(textKind("a domain such as example.com", parseDomain))

/** Exceptions to the address ranges that requests of workflows may not reach (contract B5.8.5). */
export const allowedHosts = listOf(
  textKind("an IP address, a range such as 10.0.0.0/8, or a host name", (text) => {
    if (!text.includes("/")) return isHost(text) ? text.toLowerCase() : undefined
    return isRange(text) ? text : undefined
  }),
)

/** Without host names. */
export const networks = listOf(
  textKind("an IP address or a range such as 10.0.0.0/8", (text) =>
    isIP(text) !== 0 || isRange(text) ? text : undefined,
  ),
)

function isRange(text: string): boolean {
  const slash = text.lastIndexOf("/")
  const version = isIP(text.slice(0, slash))
  const bits = text.slice(slash + 1)
  return version !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
}

export const emailAddress = textKind("an email address", parseAddress)

export interface Sender {
  readonly name: string
  readonly address: string
}

/** `address` or `Name <address>`. */
export const sender = textKind("an email address, or a name and <address>", (text): Sender | undefined => {
  const [, name = "", inner = text] = /^([^<>\p{Cc}]*)<([^<>]+)>$/u.exec(text) ?? []
  const address = parseAddress(inner)
  return address === undefined ? undefined : { name: name.trim().replace(/^"(.*)"$/, "$1"), address }
})

export const awsRegion = textKind("a region of AWS such as eu-west-1", (text) => (isAwsRegion(text) ? text : undefined))

const topicArn = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}(?:\.fifo)?$/

export const snsTopics = listOf(
  textKind("the ARN of an SNS topic such as arn:aws:sns:eu-west-1:123456789012:mailstead", (text) =>
    topicArn.test(text) ? text : undefined,
  ),
)
