import { isDate, readNumber } from "../../data/kinds.ts"
import type { FieldKind } from "./fields.ts"
import { canonical } from "./operators.ts"

/** The type of a value. `nothing` is null and `empty` the empty string: both can be read, but are not offered. */
export type ValueKind = "string" | "number" | "boolean" | "date" | "nothing" | "empty"

/** A value while it is edited. */
export interface Value {
  readonly kind: ValueKind
  readonly text: string
  /** For booleans. */
  readonly on: boolean
}

export const blank = (kind: ValueKind): Value => ({ kind, text: "", on: true })

export function valueFrom(sent: unknown, field: FieldKind): Value {
  if (typeof sent === "boolean") return { kind: "boolean", text: "", on: sent }
  if (typeof sent === "number") return { ...blank("number"), text: String(sent) }
  if (typeof sent !== "string") return blank("nothing")
  if (field === "time") return { ...blank("date"), text: sent }
  if (sent === "") return blank("empty")
  return { ...blank(field === "data" && isDate(sent) ? "date" : "string"), text: sent }
}

/** The kinds of value that an operator of a field takes (contract B2.3.2), the usual one first. */
export function valueKindsOf(field: FieldKind, operator: string): readonly ValueKind[] {
  if (field === "email") return ["string"]
  if (field === "subscribed") return ["boolean"]
  if (field === "time") return ["date"]
  switch (canonical(operator)) {
    case "contains":
    case "notContains":
      return ["string"]
    case "equals":
    case "notEquals":
      return ["string", "number", "boolean", "date"]
    default:
      return ["number", "date", "string"]
  }
}

/** A date of contract B2.3.2 as a time in UTC, `2026-01-31T09:15:00.000Z`; null when it does not exist. */
export function utcOf(text: string): string | null {
  const trimmed = text.trim()
  if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i.test(trimmed)) return null
  const zoned = trimmed.length === 10 || /(?:Z|[+-]\d{2}:?\d{2})$/i.test(trimmed.slice(10)) ? trimmed : `${trimmed}Z`
  const at = new Date(zoned)
  if (Number.isNaN(at.getTime()) || !isDate(trimmed.slice(0, 10))) return null
  return at.toISOString()
}

/** The JSON of a value, or why there is none. */
export function readValue(
  { kind, text, on }: Value,
  field: FieldKind,
): { json: string | number | boolean | null } | { fault: string } {
  switch (kind) {
    case "nothing":
      return { json: null }
    case "empty":
      return { json: "" }
    case "boolean":
      return { json: on }
    case "number":
      return parseNumber(text)
    case "date":
      if (text === "") return { fault: "Which day?" }
      return utcOf(text) ? { json: text } : { fault: "Not a date." }
    case "string":
      return text.trim() === "" ? { fault: field === "email" ? "Which address?" : "Which value?" } : { json: text }
  }
}

function parseNumber(text: string): { json: number } | { fault: string } {
  if (text.trim() === "") return { fault: "Which number?" }
  const reading = readNumber(text)
  return "number" in reading ? { json: reading.number } : reading
}

/** The value converted to another type, as far as possible. */
export function asKind(value: Value, kind: ValueKind): Value {
  if (value.kind === kind) return value
  const text = value.kind === "boolean" && kind === "string" ? String(value.on) : value.text
  if (kind === "date") return { ...blank(kind), text: utcOf(text) ? text : "" }
  if (kind === "number") return { ...blank(kind), text: "json" in parseNumber(text) ? text : "" }
  if (kind === "boolean") return { ...blank(kind), on: !/^(?:false|no|0)$/i.test(text.trim()) }
  return { ...blank(kind), text }
}
