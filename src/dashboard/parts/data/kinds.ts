import {
  type Icon,
  IconBraces,
  IconCalendar,
  IconCircleOff,
  IconHash,
  IconLetterT,
  IconList,
  IconToggleLeft,
} from "@tabler/icons-react"
import type { FieldType } from "../../api/contacts.ts"

/**
 * The types of values. Nothing (`null`) exists only inside objects and lists: at the top level it deletes (contract
 * A2.1).
 */
export type Kind = "string" | "number" | "boolean" | "date" | "object" | "list" | "nothing"

export const kinds: Readonly<Record<Kind, { readonly name: string; readonly icon: Icon }>> = {
  string: { name: "Text", icon: IconLetterT },
  number: { name: "Number", icon: IconHash },
  boolean: { name: "Yes or no", icon: IconToggleLeft },
  date: { name: "Date", icon: IconCalendar },
  object: { name: "Object", icon: IconBraces },
  list: { name: "List", icon: IconList },
  nothing: { name: "Nothing", icon: IconCircleOff },
}

/** Those of the top level, the common ones first. */
export const topKinds = ["string", "number", "boolean", "date", "object", "list"] as const satisfies readonly Kind[]
export const innerKinds = [...topKinds, "nothing"] as const satisfies readonly Kind[]

export const kindOfType = (type: FieldType): Kind => type

export function kindOf(value: unknown): Kind {
  if (value === null || value === undefined) return "nothing"
  if (Array.isArray(value)) return "list"
  if (typeof value === "number" || typeof value === "boolean") return typeof value as "number" | "boolean"
  if (typeof value === "string") return isDate(value) ? "date" : "string"
  return "object"
}

const dateForm = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z)?$/

/** The two forms of contract A2.3, and the day exists. */
export function isDate(text: string): boolean {
  if (!dateForm.test(text)) return false
  const at = new Date(text)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text.slice(0, 10))
}

const numberForm = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i

/** The number in a typed text, or why there is none. */
export function readNumber(text: string): { readonly number: number } | { readonly fault: string } {
  const trimmed = text.trim()
  const number = Number(trimmed)
  if (!numberForm.test(trimmed) || !Number.isFinite(number)) return { fault: "This is not a number." }
  return losesDigits(trimmed, number) ? { fault: "Too long for a number: make it a text." } : { number }
}

/** Whether a whole number, such as that of a customer, would become another one. */
const losesDigits = (text: string, number: number): boolean =>
  /^[+-]?\d+$/.test(text) && !Number.isSafeInteger(number) && String(BigInt(text.replace("+", ""))) !== String(number)

const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" })
const moment = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
})

/** A value in one line, for display. */
export function formatValue(value: unknown): string {
  switch (kindOf(value)) {
    case "nothing":
      return ""
    case "boolean":
      return value ? "Yes" : "No"
    case "date":
      return formatDate(String(value))
    case "object":
      return JSON.stringify(value)
    case "list":
      // a blank text would be invisible
      return (value as readonly unknown[]).map((item) => formatValue(item) || JSON.stringify(item)).join(", ")
    default:
      return String(value)
  }
}

function formatDate(text: string): string {
  const at = new Date(text)
  return text.length > 10 ? `${moment.format(at)} UTC` : day.format(at)
}
