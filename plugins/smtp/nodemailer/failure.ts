import { networkWords, SmtpFailure } from "../failure.ts"

/** A failure of nodemailer's connection; `responseCode` and `response` are set when the server replied. */
interface ConnectionFailure extends Error {
  readonly code?: string | undefined
  readonly originalCode?: string | undefined
  readonly command?: string | undefined
  readonly response?: string | undefined
  readonly responseCode?: number | undefined
  readonly timeoutType?: string | undefined
}

export function failureOf(cause: ConnectionFailure | SmtpFailure): SmtpFailure {
  return cause instanceof SmtpFailure ? cause : new SmtpFailure(kindOf(cause), wordsOf(cause), cause.responseCode)
}

function kindOf({ code, responseCode }: ConnectionFailure): SmtpFailure["kind"] {
  if (responseCode !== undefined) return "reply"
  switch (code) {
    case "ESTREAM":
      return "withheld"
    // Larger than the SIZE that the server announced, or an address that it cannot take.
    case "EMESSAGE":
    case "EENVELOPE":
      return "unfit"
    case "ECONNECTION":
    case "ESOCKET":
      return "closed"
    case "ETIMEDOUT":
      return "silent"
    default:
      return "garbled"
  }
}

function wordsOf(failure: ConnectionFailure): string {
  const { code, originalCode, command, response, timeoutType } = failure
  if (code === "EAUTH")
    return response ? `the server refuses the login: ${response}` : `login failed: ${failure.message}`
  if (code === "ETLS") return response ? `the server does not start TLS: ${response}` : `TLS failed: ${failure.message}`
  if (response) return `${code === "EMESSAGE" ? "end of DATA" : (command ?? "reply")}: ${response}`
  if (code === "EDNS") return `the host name is not found (${originalCode ?? failure.message})`
  if (code === "ETIMEDOUT") return timeouts[timeoutType ?? ""] ?? "the server was silent for too long"
  return networkWords(originalCode ?? "", failure.message)
}

const timeouts: Record<string, string> = {
  CONNECT_TIMEOUT: "no connection in time",
  GREETING_TIMEOUT: "no greeting in time",
  UPGRADE_TIMEOUT: "TLS was not set up in time",
}
