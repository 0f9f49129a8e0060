import { type Column, columnTargetOf, type ReadFile } from "./columns.ts"
import { writeCsv } from "./csv.ts"
import { timeOf } from "./times.ts"
import { falseWords, truthColumns, truthOf } from "./truths.ts"

/** A row that marks its address as unsubscribed. */
export interface Unsubscribed {
  /** The index of the row in the file. */
  readonly row: number
  readonly email: string
}

/**
 * Names of columns, in lower case without blanks, in which a false value means unsubscribed, as in exports of Shopify
 * and Ghost.
 */
const subscribedNames = /^(subscribed(toemails)?|optin|accepts(email)?marketing)$/
/**
 * Names of columns in which a true value or a time means unsubscribed, as in exports of Mailchimp (UNSUB_TIME,
 * CLEAN_TIME), HubSpot (from all email, or from one kind), Intercom (from emails), Brevo (blacklisted), Substack
 * (disabled), Zoho and Salesforce (Email Opt Out, HasOptedOutOfEmail) and others.
 */
const unsubscribedNames = anyOf([
  "(is|date)?unsub(scribed)?(at|date|time|from(all)?emails?)?",
  "unsubscri(be|ption)date",
  "(is)?(email|confirmed)?optout(at|date)?",
  "(has)?optedoutofemail(:.+)?",
  "cleantime",
  "(is)?(email)?(black|block)listed",
  "emaildisabled",
])
/**
 * Names of columns with a status, as in exports of Klaviyo (Email Marketing Consent), Mailchimp, listmonk (whose older
 * versions write `blacklisted`), MailPoet (List status, Global status) and Kit (state).
 */
const statusNames = anyOf([
  "(email|contact|member|subscriber|subscription|list|global|marketing)*status",
  "state",
  "(email)?(marketing)?consent",
])
/** Kit writes `cancelled` of who has unsubscribed, beehiiv `inactive`; `junk` and the last two are complaints. */
const endedStatus = anyOf([
  "unsubscribed|cancelled|inactive|cleaned|blocklisted|blacklisted|disabled|suppressed",
  "bounced|unreachable|complained|junk|spammed|marked as spam",
])
/** The last one is YANLIŞ in lower case, which no comparison without case finds. */
const no = anyOf(["false|no|n|0", ...falseWords, "yanlış"])

function anyOf(names: readonly string[]): RegExp {
  return new RegExp(`^(${names.join("|")})$`, "iu")
}

/** The rows of a file that are marked as unsubscribed. */
export function unsubscribedIn({ head, rows }: ReadFile, columns: readonly Column[]): readonly Unsubscribed[] {
  const address = columns.findIndex((_, at) => columnTargetOf(columns, at) === "email")
  const names = head.map((name) => name.toLowerCase().replace(/[\s_?-]/g, ""))
  const isMarked = (cells: readonly string[]) =>
    names.some((name, at) => {
      const cell = cells[at] ?? ""
      if (subscribedNames.test(name)) return no.test(cell)
      if (unsubscribedNames.test(name)) return cell !== "" && !no.test(cell)
      return statusNames.test(name) && endedStatus.test(cell.toLowerCase())
    })
  return rows.flatMap((cells, row) => (isMarked(cells) ? [{ row, email: cells[address] ?? "" }] : []))
}

/**
 * The file in the form that the server accepts: commas, only the imported columns under their new names, without the
 * excluded rows, these columns as times, and `true` and `false` in English. A file that needs no change is returned as it
 * is.
 */
export function convert(
  read: ReadFile,
  columns: readonly Column[],
  leftOut: ReadonlySet<number>,
  times: readonly number[],
): File {
  const { file, isPlain, rows } = read
  const isAsItIs = columns.every(({ name, field, isTaken }) => isTaken && field === name)
  const truths = truthColumns(read, columns)
  if (isPlain && isAsItIs && leftOut.size === 0 && times.length === 0 && truths.length === 0) return file
  const taken = columns.flatMap((column, at) => (column.isTaken ? [{ ...column, at }] : []))
  const cellOf = (cells: readonly string[], at: number): string => {
    const cell = cells[at] ?? ""
    if (truths.includes(at)) return truthOf(cell)
    return times.includes(at) ? (timeOf(cell) ?? cell) : cell
  }
  const kept = rows.filter((_, row) => !leftOut.has(row)).map((cells) => taken.map(({ at }) => cellOf(cells, at)))
  // Alone, an empty cell would be a blank line, which is not a row; a column without a name is ignored (contract A5.16).
  const nameless = taken.length === 1 ? [""] : []
  const records = [taken.map(({ field }) => field), ...kept]
  const text = writeCsv(records.map((record) => [...record, ...nameless]))
  return new File([text], file.name.replace(/\.\w+$/, ".csv"), { type: "text/csv" })
}
