import { isAwsRegion } from "../kernel/aws-region.ts"
import { nearest } from "../kernel/suggest.ts"
import { type Kind, listOf, type Reading, shown, spaces } from "./kinds.ts"

/** The schemes that a transport URL can have (contract A8.2). */
const transportSchemes = ["smtp", "smtps", "ses", "postmark", "capture", "plugin"] as const
type TransportScheme = (typeof transportSchemes)[number]

/** One URL; the named transport parses its options. */
const transportUrl: Kind<string> = {
  read: (given) => {
    if (typeof given !== "string") return { expected: "a transport URL such as smtp://user:password@host:587" }
    return readUrl(given.trim())
  },
  show: (given) =>
    typeof given === "string" ? JSON.stringify(redactUrl(given)) : typeof given === "object" ? "no text" : shown(given),
}

/** Several are tried in order. */
export const transportUrls = listOf(transportUrl, spaces)

/** The URL for logs, messages and pages: without user, password, token and options. */
export function redactUrl(text: string): string {
  const scheme = schemeOf(text)
  if (scheme === undefined) return "…"
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (scheme === "capture") return "capture:"
  if (scheme === "plugin" && url !== undefined) return `plugin:${url.pathname}`
  const open = scheme === "smtp" || scheme === "smtps" || scheme === "ses"
  return open && url !== undefined && isBare(url) ? `${scheme}://${url.host}` : `${scheme}:…`
}

function readUrl(text: string): Reading<string> {
  const scheme = schemeOf(text)
  const known = transportSchemes.find((name) => name === scheme)
  if (known === undefined) {
    const near = scheme === undefined ? undefined : nearest(scheme, transportSchemes)
    const hint = near === undefined ? "" : `; did you mean ${near}:?`
    return { expected: `a transport URL that begins with ${transportSchemes.join(":, ")}:${hint}` }
  }
  const problem = URL.canParse(text) ? problemOf(known, new URL(text)) : unreadable(known, text)
  if (problem === undefined) return { value: text }
  return {
    expected: text.includes("@") ? `${problem}; in user and password write / ? # @ % as %2F %3F %23 %40 %25` : problem,
  }
}

/** What is expected in the place of text that is not a URL. */
function unreadable(scheme: TransportScheme, text: string): string {
  const [host = ""] = text.slice(Math.max(text.indexOf("//") + 2, text.lastIndexOf("@") + 1)).split(/[/?#]/, 1)
  const port = /^(?:\[[^\]]*\]|[^[:]*):(.*)$/.exec(host)?.[1]
  const isPort = port === undefined || (/^\d+$/.test(port) && Number(port) <= 65_535)
  return isPort ? `a ${scheme}: URL that can be read` : "a port from 1 to 65535 behind the host"
}

/** What is expected instead, or undefined for a valid URL. */
function problemOf(scheme: TransportScheme, url: URL): string | undefined {
  switch (scheme) {
    case "smtp":
    case "smtps":
      return isBare(url) ? undefined : `${scheme}://user:password@host:port`
    case "ses":
      return isBare(url) && isAwsRegion(url.hostname) ? undefined : "ses://REGION, for example ses://eu-west-1"
    case "postmark":
      return url.host === "" ? "postmark://TOKEN" : undefined
    case "plugin":
      return url.host === "" && url.pathname.startsWith("/") ? undefined : "plugin:/absolute/path/of/file.ts"
    case "capture":
      return url.host === "" && url.pathname === "" ? undefined : "capture: and nothing after it"
  }
}

/** An unescaped / ? or # in a password ends the host too early: the rest would be read as a path or an option. */
const isBare = (url: URL): boolean =>
  url.host !== "" && (url.pathname === "" || url.pathname === "/") && url.hash === "" && !url.search.includes("@")

const schemeOf = (text: string): string | undefined => /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase()
