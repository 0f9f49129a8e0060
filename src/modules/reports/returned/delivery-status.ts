import { readHeaderFields } from "../../../inbound/header-fields.ts"
import { parseAddress } from "../../../kernel/email-address.ts"
import type { Report } from "../../emails/index.ts"
import { fieldOf } from "./parts.ts"
import { bounceOf, exactCode, statusCodeIn } from "./status-code.ts"

/** What became of a message for one recipient. */
export interface Result {
  /** In canonical form where it is an address like ours, else in lower case; null when the report names none. */
  readonly recipient: string | null
  /** Undefined for what has no effect. */
  readonly report: Report | undefined
}

const maxRecipients = 100

/**
 * Reads a delivery status (RFC 3464, 2): a group of fields about the message, then one for each recipient. `prose` is what
 * the report says for people: OpenSMTPD has the reply of the other server there alone, and Exim the reason of a refusal of
 * its own. Of several recipients nobody can tell whose it is.
 */
export function resultsIn(status: string, prose: string): Result[] {
  const found: { action: string; code: string; reply: string; recipient: string | null }[] = []
  for (const group of status.split(/\r?\n(?:[ \t]{0,9}\r?\n)+/, 2 * maxRecipients)) {
    const fields = readHeaderFields(Buffer.from(`${group}\r\n`, "latin1"))
    const action = fieldOf(fields, "action").toLowerCase()
    const code = fieldOf(fields, "status")
    const final = addressIn(fieldOf(fields, "final-recipient"))
    if (action === "" && code === "" && final === null) continue
    const reply = fieldOf(fields, "diagnostic-code")
    // An address on the way may forward to others: the one that was written to counts.
    const recipient = addressIn(fieldOf(fields, "original-recipient")) ?? final
    found.push({ action, code, reply, recipient })
  }
  const spare = found.length === 1 ? prose : ""
  return found
    .slice(0, maxRecipients)
    .map(({ action, code, reply, recipient }) => ({ recipient, report: reportOf(action, code, reply || spare) }))
}

function reportOf(action: string, status: string, reply: string): Report | undefined {
  // Some servers add a comment to the action, or say it in other words.
  switch (/^(?:fail|delayed|delivered|relayed|expanded)/.exec(action)?.[0] ?? actionOf(statusCodeIn(status))) {
    case "fail":
      return bounceOf(exactCode(status, reply))
    case "delayed":
      return { kind: "bounce", bounceType: "Transient" }
    case "delivered":
      return { kind: "delivery" }
    // `relayed` and `expanded` say that no more reports come, not that the message arrived.
    default:
      return undefined
  }
}

/** What a status means without an action of RFC 3464, 2.3.3, which is required but sometimes missing. */
const actionOf = (code = ""): string | undefined =>
  code.startsWith("5") ? "fail" : code.startsWith("4") ? "delayed" : undefined

/** The address of `rfc822; a@b.c` (RFC 3464, 2.3.2) or `utf-8; a@b\x{FC}.c` (RFC 6533, 3), which may have brackets around it. */
function addressIn(value: string): string | null {
  const address = value
    .slice(value.indexOf(";") + 1)
    .trim()
    .replace(/^<|>$/g, "")
    .replace(/\\x\{([0-9a-f]{2,6})\}/gi, (escaped, code) => characterOf(Number.parseInt(code, 16)) ?? escaped)
  return address === "" ? null : (parseAddress(address) ?? address.toLowerCase())
}

const characterOf = (code: number): string | undefined => (code <= 0x10ffff ? String.fromCodePoint(code) : undefined)
