import { isGiven } from "../../http/schema.ts"
import type { Fault } from "../../kernel/errors.ts"
import { isObject } from "../../kernel/json.ts"
import { parseUrl } from "../../kernel/url.ts"
import { at, choiceFaults, hasPlaceholder, mistyped, required, syntaxFaults } from "./config-faults.ts"
import type { StepConfig } from "./table.ts"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

/** Headers that frame and route a request: whoever sets them sends another request than the one that was checked. */
const ownHeaders = ["host", "content-length", "transfer-encoding"]

/** RFC 9110, 5.6.2. */
const token = /^[!#$%&'*+.^_`|~\w-]+$/
/** RFC 9110, 5.5, without control characters. */
const headerValue = /^\P{Cc}*$/u

function urlFaults(url: unknown): Fault[] {
  if (!isGiven(url) || url === "") return required("url")
  if (typeof url !== "string") return mistyped("url", url, "a string")
  const parsed = parseUrl(url)
  // They would be shown with the graph, and are not sent.
  if (parsed && (parsed.username !== "" || parsed.password !== ""))
    return at("url", "invalid_string", "must have no user and no password: use the header Authorization")
  if (hasPlaceholder(url)) return syntaxFaults("url", url)
  return ["http:", "https:"].includes(parsed?.protocol ?? "")
    ? []
    : at("url", "invalid_string", "must be an http or https address")
}

function headerFaults(headers: unknown): Fault[] {
  if (!isGiven(headers)) return []
  if (!isObject(headers)) return mistyped("headers", headers, "an object")
  const sent = Object.entries(headers)
  const other = sent.find(([, value]) => typeof value !== "string")
  if (other) return mistyped("headers", other[1], "an object of strings")
  for (const [name, value] of sent) {
    if (!token.test(name)) return at("headers", "invalid_string", "must have names of letters, digits and hyphens")
    if (ownHeaders.includes(name.toLowerCase())) return at("headers", "invalid_string", `cannot set ${name}`)
    if (!headerValue.test(String(value)))
      return at("headers", "invalid_string", `must have values of one line: ${name}`)
  }
  return syntaxFaults("headers", headers)
}

/** The faults of the config of a WEBHOOK step (contract B5.8.1, B5.8.6). */
export const webhookFaults = ({ url, method, headers, body }: StepConfig): Fault[] => [
  ...urlFaults(url),
  ...choiceFaults("method", method, methods),
  ...headerFaults(headers),
  ...syntaxFaults("body", body),
]
