import type { HeaderField } from "../../../inbound/header-fields.ts"
import type { Report } from "../../emails/index.ts"
import { fieldOf } from "./parts.ts"
import { bounceOf, exactCode } from "./status-code.ts"

/** Beginnings of bounce messages that are plain prose. */
const beginnings = [
  // qmail, https://cr.yp.to/proto/qsbmf.txt
  /^Hi\. This is the /,
  // Exim before 4.90, and its warnings
  /^This message was created automatically by mail delivery software/,
]
/** Other wordings, which out-of-office replies may use as well. */
const likelyBeginning =
  /^(?:Your message|The following (?:message|address(?:es)?|recipients?|recipient\(s\))|Delivery to the following|A message that you (?:have )?sent)/i
/** The start of a line that no person's reply has. */
const statement = /^(?:Your message could not be delivered to|A message that you sent was rejected by)\b/im
/** Begins the returned message, whose text is not the server's. */
const copy =
  /^(?:--- Below this line is|------ This is a copy of|-{3,} ?(?:Original|Returned|The (?:header of the )?original|Forwarded) message)/im
/** Before that, some quote the subject. */
const quotedSubject = /^[ \t>]{0,9}(?:message )?(?:subject|betreff|objet|asunto|oggetto|onderwerp):.*$/gim
const longestProse = 16_384

/**
 * Reads a report in prose; undefined when it is not a report. The message may say anything, so little is concluded.
 * `hasStatus`: it has a delivery status too, which names no recipient.
 */
export function plainReport(fields: readonly HeaderField[], text: string, hasStatus: boolean): Report | undefined {
  const prose = proseIn(text)
  const isReport =
    fieldOf(fields, "x-failed-recipients") !== "" ||
    beginnings.some((beginning) => beginning.test(prose)) ||
    (hasStatus && failure.test(prose)) ||
    // Some servers mark their reports as answers.
    (isOfServer(fields) && (hasSubject(fields) || failure.test(prose) || statement.test(prose) || !isAnswer(fields))) ||
    (((likelyBeginning.test(prose) && trouble.test(prose) && !receipt.test(prose)) ||
      statement.test(prose) ||
      hasSubject(fields)) &&
      !isAnswer(fields))
  if (!isReport) return undefined
  if (isDelay.test(fieldOf(fields, "subject")) || isDelay.test(prose.slice(0, 500))) return bounceOf(undefined)
  return bounceOf(exactCode("", withoutSubject(prose)))
}

/** What the server itself says in the text of a report. */
export const wordsIn = (text: string): string => withoutSubject(proseIn(text))

const proseIn = (text: string): string => (text.slice(0, longestProse).split(copy, 1)[0] ?? "").trimStart()
const withoutSubject = (prose: string): string => prose.replace(quotedSubject, "")

/** Servers write as one of these, or call it a failure; to a return path hardly anybody else writes. */
const authors =
  /\b(?:mailer-daemon|postmaster|mdaemon|mail delivery (?:sub)?system|mail administrator|system administrator)\b/i
const subjects =
  /\b(?:undeliver(?:ed|able)|non-delivery|not (?:be )?delivered|returned mail|failure notice|mail(?:er)? error|delivery (?:failure|failed|problem|error|status notification \((?:failure|delay)))\b/i
/** What is said behind a likely beginning. */
const trouble =
  /fail|undeliver|unable|reject|refus|problem|error|unknown|invalid|delay|bounced|blocked|quota|is full|no (?:such|longer)|(?:been|was) returned|n(?:o|'|\x92|\u2019|\xe2\x80\x99)t (?:[a-z]{1,20} ){0,2}(?:deliver|reach|accept|sent|exist|found|valid)/i
/** Help desks and out-of-office replies begin like this, and may then mention problems. */
const receipt =
  /^Your message (?:has been|was|will be) (?:successfully )?(?:received|read|answered|registered|recorded|forwarded)\b/i
const failure = /\b(?:fail(?:ed|ure)|undeliverable|not (?:be )?delivered|unable to deliver)\b/i

const isReply = (fields: readonly HeaderField[]): boolean => /^re:/i.test(fieldOf(fields, "subject"))

const isOfServer = (fields: readonly HeaderField[]): boolean =>
  !isReply(fields) && authors.test(fieldOf(fields, "from"))

const hasSubject = (fields: readonly HeaderField[]): boolean =>
  !isReply(fields) && subjects.test(fieldOf(fields, "subject"))

const isDelay = /\b(?:delayed|has not yet been delivered|still trying|will continue to try|no action is required)\b/i

/** Header fields of auto-responders and help desks, which no bounce has. */
const fieldsOfAnswers = ["x-auto-response-suppress", "x-autoreply", "x-autorespond", "x-autoresponder"]

/**
 * Whether it is an automatic reply on behalf of a person: by RFC 3834 (5), or by the conventions of Exchange and older
 * programs.
 */
const isAnswer = (fields: readonly HeaderField[]): boolean =>
  /^auto-replied/i.test(fieldOf(fields, "auto-submitted")) ||
  /^(?:junk|auto_reply)$/i.test(fieldOf(fields, "precedence")) ||
  fieldsOfAnswers.some((name) => fieldOf(fields, name) !== "")
