import type { Report } from "../../emails/index.ts"

/** An enhanced status code (RFC 3463), and nothing that is part of a version or an IP address. */
const enhanced = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?!\.?\d)/

export const statusCodeIn = (text: string): string | undefined => enhanced.exec(text)?.[0]

/** A code that says no more than its class, in which case the words of the other server often have a better one. */
const isVague = (code: string | undefined): boolean => code === undefined || code.endsWith(".0.0")

/**
 * The code of a failure: that of the report, or a more exact one that the reply of the other server has or means. Undefined
 * where its words are about something else than whether there is such an address.
 */
export function exactCode(status: string, reply: string): string | undefined {
  // Postfix folds a reply between any two words, and indents what follows.
  const words = reply.slice(0, longestReply).replace(/[ \t]+/g, " ")
  if (noSuchUserByOtherCode.test(words)) return "5.1.1"
  if (ofExistingAddress.test(words)) return undefined
  const codes = [statusCodeIn(status), statusCodeIn(words)]
  return codes.find((code) => !isVague(code)) ?? meaningOf(words) ?? codes.find((code) => code !== undefined)
}

const longestReply = 16_384
/**
 * A reply of RFC 5321 (4.2.3) about the recipient, with words of servers that use no codes, such as Exim as hosts set it up,
 * Yahoo, which says it by 552 and 554 too, and GMX, web.de and mail.com, which have the words of the RFC; with
 * `or not local` behind them they may be about relaying.
 */
const noSuchUser =
  /(?<![\d.])55[0-4][\s-][^\r\n]{0,300}?\b(?:(?:no such|unknown|invalid) (?:user|mailbox|recipient)|(?:user|mailbox|recipient|account) (?:is )?(?:unknown|not found)|(?:user|mailbox|recipient|account) (?:does not|doesn't) exist|user (?:does not|doesn't) have an? (?:[\w.-]{1,60} )?account|mailbox is disabled|requested action not taken: mailbox unavailable(?! or)|unrouteable address)\b/i
/**
 * Exchange Online and Outlook.com have the first two where an address does not exist, by Microsoft's list of them, and the
 * third where its domain does not; the last is that of Yandex, which has the code of a policy.
 */
const noSuchUserByOtherCode =
  /\b550\s5\.(?:4\.1\s+Recipient address rejected:\s+Access denied\b|5\.0\s+Requested action not taken:\s+mailbox unavailable\b|4\.310\s+DNS domain \S{1,255} does not exist\b|7\.1\s+No such user!)/i
/**
 * Some servers refuse the sender with 5.1.0 and 5.1.1, such as Spectrum and those that verify who writes, and have 5.2.1 for
 * a mailbox that is full, or that gets too much mail at once, as Gmail does.
 */
const ofExistingAddress =
  /(?<![\d.])5(?:\d\d|\.[12]\.\d{1,3})[\s-][^\r\n]{0,300}?\b(?:sender (?:address )?(?:is )?(?:rejected|denied|refused|verify failed)|receiving mail (?:too quickly|at a rate)|mailbox (?:is )?full|over (?:its )?quota|quota exceeded)\b/i
/** What Exim says itself of an address at a domain that does not exist, or that it does not know at a domain of its own. */
const unroutable = /^ ?unrouteable address\r?$/im
/** Such a reply may be about the sender. */
const aboutSender = /\bsender\b|\bverif/i

function meaningOf(words: string): string | undefined {
  if (unroutable.test(words)) return "5.4.4"
  return noSuchUser.test(words) && !aboutSender.test(words) ? "5.1.1" : undefined
}

/**
 * Codes of addresses and domains that do not exist (contract B9.6.4); any other failure may pass. Of the sender are 5.1.7 and
 * 5.1.8 (RFC 3463, 3.2), and 5.1.90, by which Microsoft 365 says that the limit of a day is reached.
 */
const permanent = /^5\.(?:1\.(?!(?:7|8|90)$)\d{1,3}|2\.1|4\.4)$/

export const bounceOf = (code: string | undefined): Report => ({
  kind: "bounce",
  bounceType: code !== undefined && permanent.test(code) ? "Permanent" : "Transient",
})
