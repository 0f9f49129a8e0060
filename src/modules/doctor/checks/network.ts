import { isIP } from "node:net"
import type { Config } from "../../../config.ts"
import { callApi, jsonObject } from "../../../kernel/api-call.ts"
import { buildInfo } from "../../../kernel/build-info.ts"
import { connectTo } from "../../../net/connect.ts"
import type { Dns, DnsAnswer } from "../../../net/dns.ts"
import { isPublicAddress } from "../../../net/public-address.ts"
import { type Check, clause, fail, ok, type Verdict, warn } from "../check.ts"

export interface NetworkDeps {
  readonly config: Pick<Config, "http" | "dns" | "mail" | "smtp">
  readonly dns: Dns
  readonly baseUrl: () => string
  /** Whether a server runs on this folder. */
  readonly isRunning: () => boolean
  /** Where the check of port 25 connects to, instead of the mail server of a large provider. */
  readonly port25?: { readonly host: string; readonly port: number } | undefined
}

/** A name that every resolver of the public DNS knows, and mail servers that everybody reaches. */
const [knownName, knownMail] = ["example.com", "gmail.com"]

export function networkChecks(deps: NetworkDeps): Check[] {
  const { config, dns } = deps
  const servers = config.dns.servers.length > 0 ? `dns.servers (${config.dns.servers.join(", ")})` : "the system"
  const noAnswer = fail(
    `The DNS resolver of ${servers} gives no answer for ${knownName}: set dns.servers to one that does.`,
  )
  return [
    {
      name: "dns",
      late: noAnswer,
      async run() {
        const answer = await dns.addresses(knownName)
        return answer.kind === "found" ? ok("The DNS resolver answers.") : noAnswer
      },
    },
    { name: "public address", run: (abort) => checkAddress(deps, abort) },
    { name: "port 25", run: (abort) => checkPort25(deps, abort) },
    { name: "reverse dns", run: () => checkReverse(deps) },
  ]
}

async function checkAddress({ config, baseUrl, dns, isRunning }: NetworkDeps, abort: AbortSignal): Promise<Verdict> {
  const url = baseUrl()
  if (config.http.baseUrl === null && config.http.domains === null)
    return warn("http.base_url is not set, so links in mail lead nowhere: set it to the public https address.")
  if (new URL(url).pathname !== "/")
    return fail(`${url} has a path, under which the dashboard does not work: give the server a host name of its own.`)
  if (!isRunning())
    return warn(`No server runs on this folder, so ${url} was not asked: start it, then run this again.`)
  const { hostname } = new URL(url)
  if (isIP(hostname.replace(/^\[|\]$/g, "")) === 0 && hostname !== "localhost") {
    const found = await dns.addresses(hostname)
    if (found.kind === "no_answer") return unanswered(hostname)
    if (found.kind !== "found") return fail(`${hostname} has no address in the DNS: add an A or AAAA record.`)
  }
  const answer = await callApi({ method: "GET", url: `${url}/health`, headers: {} }, { timeoutMs: 4_000, abort })
  if (answer.kind !== "answered")
    return fail(`${url} cannot be reached (${clause(answer.reason)}): look at the proxy, the firewall and the DNS.`)
  const { version, status } = jsonObject(answer.text) ?? {}
  if (typeof version !== "string")
    return fail(`Something else answers at ${url} with status ${answer.status}: look at the proxy.`)
  if (status !== "ok") return fail(`The server at ${url} says that it cannot work: look at its log.`)
  if (version !== buildInfo.version)
    return warn(`The server at ${url} is version ${version}, this is ${buildInfo.version}: restart it after an update.`)
  return ok(`${url} answers.`)
}

async function checkPort25({ dns, port25 }: NetworkDeps, abort: AbortSignal): Promise<Verdict> {
  const target = port25 ?? (await mailServer(dns))
  if (target === undefined) return warn("The DNS gave no mail server to connect to: look at the check of the DNS.")
  const fault = await connectTo(target.host, target.port, abort)
  if (fault === undefined) return ok("Other mail servers can be reached on port 25.")
  return warn(
    `Port 25 of ${target.host} cannot be reached: ask your hosting company to open it, or send by a relay on port 587.`,
  )
}

async function mailServer(dns: Dns) {
  const answer = await dns.mx(knownMail)
  const host = answer.kind === "found" ? answer.records[0]?.exchange : undefined
  return host ? { host, port: 25 } : undefined
}

/** Large providers refuse mail from an address whose name does not lead back to it. */
async function checkReverse({ config, dns, baseUrl }: NetworkDeps): Promise<Verdict> {
  const host = config.smtp.hostname ?? new URL(baseUrl()).hostname.replace(/^\[|\]$/g, "")
  const answer = isIP(host) === 0 ? await dns.addresses(host) : ({ kind: "found", records: [host] } as const)
  if (answer.kind === "no_answer") return unanswered(host)
  const addresses = recordsOf(answer).filter(isPublicAddress)
  if (addresses.length === 0)
    return warn(
      config.smtp.hostname === null
        ? `${host} is no public name, so the name of this server cannot be checked: set smtp.hostname.`
        : `${host} (smtp.hostname) has no public address: publish its A or AAAA record.`,
    )
  for (const address of addresses) {
    const names = recordsOf(await dns.names(address))
    if (names.length === 0)
      return warn(`${address} has no name (PTR): have your hosting company set it to ${isIP(host) ? "one" : host}.`)
    const backs = await Promise.all(names.map(async (name) => recordsOf(await dns.addresses(name))))
    if (!backs.some((back) => back.includes(address)))
      return warn(`${address} is named ${names[0]}, which does not lead back to it: have the PTR set to ${host}.`)
  }
  return ok(
    `${addresses.join(" and ")} ${addresses.length > 1 ? "have names that lead" : "has a name that leads"} back.`,
  )
}

const unanswered = (name: string): Verdict => warn(`The DNS gave no answer for ${name}: look at the check of the DNS.`)

const recordsOf = (answer: DnsAnswer<string>): readonly string[] => (answer.kind === "found" ? answer.records : [])
