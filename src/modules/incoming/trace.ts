import type { Judgement } from "../../inbound/judge.ts"
import { renameFields } from "../../inbound/rename-fields.ts"
import type { Received } from "../../inbound/types.ts"
import { headerDate } from "../../kernel/clock.ts"

interface TraceOptions {
  readonly hostname: string
  /** In ms. */
  readonly at: number
  readonly judgement: Judgement
}

/**
 * The message as it is kept: with the fields that the last server puts before it (RFC 5321, 4.4; RFC 8601, 5). What the
 * sender wrote in their place is renamed, so that it is not taken for ours.
 */
export function traced(message: Received<unknown>, { hostname, at, judgement }: TraceOptions): Uint8Array {
  const { raw, mailFrom, helo, remoteAddress, secure } = message
  const address = remoteAddress.includes(":") ? `IPv6:${remoteAddress}` : remoteAddress
  const trace = [
    `Return-Path: <${printable(mailFrom)}>\r\n`,
    judgement.header,
    `Received: from ${printable(helo) || "unknown"} ([${address}])\r\n`,
    `\tby ${hostname} with ESMTP${secure ? "S" : ""};\r\n\t${headerDate(at)}\r\n`,
  ]
  return Buffer.concat([Buffer.from(trace.join("")), renameFields(raw, ["Return-Path", "Authentication-Results"])])
}

/** The client controls this text. */
const printable = (text: string): string => text.replace(/[^\x21-\x7e]|[<>()]/g, "").slice(0, 320)
