import type { ConditionJson, FilterJson, Logic } from "../../../api/conditions.ts"
import { formatValue, isDate } from "../../data/kinds.ts"
import { fieldRef } from "./fields.ts"
import { canonical, operatorTexts, timeOperatorTexts } from "./operators.ts"
import { utcOf } from "./values.ts"

/** Looks up the name of a segment; null when it was deleted. */
type SegmentName = (id: string) => string | null

/** A condition as a sentence: `plan is “pro” and (opened an email in the last 7 days or score is at least 5)`. */
export const formatCondition = (condition: ConditionJson, nameOf: SegmentName): string =>
  sentenceOf(condition, nameOf).text

/** A part of the sentence, and the logic that joins its parts; null for a single part. */
interface Phrase {
  readonly text: string
  readonly by: Logic | null
}

const sentenceOf = ({ logic, groups }: ConditionJson, nameOf: SegmentName): Phrase =>
  joinedBy(
    logic,
    groups.map(({ filters, conditions }) =>
      joinedBy("AND", [
        ...filters.map((filter) => ({ text: formatFilter(filter, nameOf), by: null })),
        ...(conditions ? [sentenceOf(conditions, nameOf)] : []),
      ]),
    ),
  )

function joinedBy(by: Logic, parts: readonly Phrase[]): Phrase {
  const [only] = parts
  if (only && parts.length === 1) return only
  const texts = parts.map((part) => (part.by === null || part.by === by ? part.text : `(${part.text})`))
  return { text: texts.join(by === "AND" ? " and " : " or "), by }
}

export function formatFilter(filter: FilterJson, nameOf: SegmentName): string {
  const ref = fieldRef(filter.field)
  if (!ref) return filter.field
  switch (ref.kind) {
    case "email":
      return `email ${comparison(filter)}`
    case "subscribed":
      return formatSubscribed(filter)
    case "time":
      return `${ref.name === "createdAt" ? "created" : "changed"} ${moment(filter)}`
    case "data":
      return formatData(ref.name, filter)
    case "event":
      return `“${ref.name}” ${happening(filter)}`
    case "activity":
      return formatMail(ref.name, filter)
    case "segment": {
      const name = nameOf(ref.name)
      const within = filter.operator === "memberOfSegment" ? "in" : "not in"
      return name === null ? `${within} a deleted segment` : `${within} ${name}`
    }
  }
}

const comparison = ({ operator, value }: FilterJson): string =>
  `${operatorTexts[canonical(operator)] ?? operator} ${formatJson(value)}`

function formatJson(value: unknown): string {
  if (value === null || value === undefined) return "nothing"
  if (typeof value === "string") return isDate(value) ? formatValue(value) : `“${value}”`
  return typeof value === "boolean" ? (value ? "yes" : "no") : String(value)
}

function formatSubscribed({ operator, value }: FilterJson): string {
  if (typeof value !== "boolean") return "subscribed is nothing"
  return (operator === "equals") === value ? "is subscribed" : "is not subscribed"
}

function moment(filter: FilterJson): string {
  const { operator, value } = filter
  if (operator === "within") return `in the last ${span(filter)}`
  if (operator === "olderThan") return `more than ${span(filter)} ago`
  const time = typeof value === "string" && utcOf(value) ? formatValue(isDate(value) ? value : utcOf(value)) : "nothing"
  return `${timeOperatorTexts[canonical(operator)] ?? operator} ${time}`
}

function formatData(name: string, filter: FilterJson): string {
  switch (filter.operator) {
    case "exists":
      return `has ${name}`
    case "notExists":
      return `has no ${name}`
    case "within":
    case "olderThan":
      return `${name} ${moment(filter)}`
    default:
      return isDay(filter.value) && !/quals$|ontains$/.test(filter.operator)
        ? `${name} ${moment(filter)}`
        : `${name} ${comparison(filter)}`
  }
}

const isDay = (value: unknown): boolean => typeof value === "string" && isDate(value)

function happening(filter: FilterJson): string {
  switch (filter.operator) {
    case "triggered":
      return "happened"
    case "notTriggered":
      return "never happened"
    case "triggeredWithin":
      return `happened in the last ${span(filter)}`
    case "notTriggeredWithin":
      return `did not happen in the last ${span(filter)}`
    default:
      return `last happened more than ${span(filter)} ago`
  }
}

/** The words for `opened an email`, and their opposites. */
const mailWords: Readonly<Record<string, readonly [did: string, not: string]>> = {
  sent: ["was sent an email", "was sent no email"],
  delivered: ["received an email", "received no email"],
  opened: ["opened an email", "opened no email"],
  clicked: ["clicked in an email", "clicked in no email"],
  bounced: ["had an email bounce", "had no email bounce"],
  complained: ["complained about an email", "did not complain"],
}

function formatMail(activity: string, filter: FilterJson): string {
  const [did, not] = mailWords[activity] ?? [activity, `not ${activity}`]
  switch (filter.operator) {
    case "triggered":
      return did
    case "notTriggered":
      return `never ${did}`
    case "triggeredWithin":
      return `${did} in the last ${span(filter)}`
    case "notTriggeredWithin":
      return `${not} in the last ${span(filter)}`
    default:
      return `last ${did} more than ${span(filter)} ago`
  }
}

function span({ value, unit: stored }: FilterJson): string {
  const unit = typeof stored === "string" ? stored : "days"
  const one = value === 1 && unit.endsWith("s")
  return `${typeof value === "number" ? value.toLocaleString("en") : "?"} ${one ? unit.slice(0, -1) : unit}`
}
