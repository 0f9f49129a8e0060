import { day, hour, minute } from "../kernel/clock.ts"
import { canonicalAddress, canonicalPart } from "../kernel/email-address.ts"
import { foldCase } from "../store/letter-cases.ts"
import { parseInstant } from "./dates.ts"
import { type Faults, isMissing } from "./faults.ts"
import type { Primitive, ValueKind, Values } from "./operators.ts"

/** `value` and `unit` of a filter as sent. */
interface Sent {
  readonly value?: unknown
  readonly unit?: unknown
}

/**
 * The value of a filter at the path `at`, ready to be compared with (contract B2.3): null where null was sent as the
 * value, undefined after a fault.
 */
export function readValue(
  valueKind: ValueKind,
  sent: Sent,
  at: string,
  faults: Faults,
): Values[ValueKind] | null | undefined {
  switch (valueKind) {
    case "span":
      return readSpan(sent, at, faults)
    case "nothing":
      checkUnread(sent.value, `${at}.value`, faults)
      checkUnread(sent.unit, `${at}.unit`, faults)
      return null
    default:
      checkUnread(sent.unit, `${at}.unit`, faults)
      return readOperand(valueKind, sent.value, `${at}.value`, faults)
  }
}

/** Checks what can be checked when the field is unknown: that there is a value, or a valid span. */
export function checkValueOfUnknownField(valueKind: ValueKind, sent: Sent, at: string, faults: Faults): void {
  if (valueKind === "span") readSpan(sent, at, faults)
  else if (valueKind !== "nothing" && sent.value === undefined) faults.add(`${at}.value`, "required", "is required")
}

type Operand = Exclude<ValueKind, "span" | "nothing">

function readOperand(valueKind: Operand, value: unknown, field: string, faults: Faults): Primitive | null | undefined {
  if (value === null) return null
  const { types, wanted } = operands[valueKind]
  if (!isPrimitive(value) || !types.includes(typeof value)) return void faults.addMismatch(field, value, wanted)
  if (typeof value === "number" && !Number.isFinite(value)) return void faults.add(field, "too_big", tooLarge)
  if (typeof value !== "string") return value
  if (valueKind === "address") return canonicalAddress(value.trim().toLowerCase())
  if (valueKind === "addressPart") return canonicalPart(readPart(value, field, faults))
  if (valueKind === "part") return readPart(value, field, faults)
  if (valueKind !== "instant") return value
  const instant = parseInstant(value)
  if (instant === undefined) faults.add(field, "invalid_string", "must be a date: YYYY-MM-DD or an ISO timestamp")
  return instant
}

/**
 * The longest text that can be searched for (contract B2.5.6), in characters: the cost of a search is the product of
 * both lengths.
 */
const maxPart = 255

function readPart(value: string, field: string, faults: Faults): string {
  if (value.length > 2 * maxPart || (value.length > maxPart && Array.from(value).length > maxPart))
    faults.add(field, "too_big", `must have at most ${maxPart} characters`)
  return foldCase(value)
}

const operands: Record<Operand, { readonly types: readonly string[]; readonly wanted: string }> = {
  address: { types: ["string"], wanted: "a string" },
  addressPart: { types: ["string"], wanted: "a string" },
  part: { types: ["string"], wanted: "a string" },
  flag: { types: ["boolean"], wanted: "a boolean" },
  instant: { types: ["string"], wanted: "a date as a string" },
  primitive: { types: ["string", "number", "boolean"], wanted: "a string, a number or a boolean" },
  ordered: { types: ["string", "number"], wanted: "a string or a number" },
}

const isPrimitive = (value: unknown): value is Primitive => ["string", "number", "boolean"].includes(typeof value)

const tooLarge = "is larger than a number can be"

const unitMs = { minutes: minute, hours: hour, days: day } as const
const maxSpan = 100_000

/** A span in ms; the unit is checked whatever the number is. */
function readSpan({ value, unit }: Sent, at: string, faults: Faults): number | undefined {
  const count = readCount(value, `${at}.value`, faults)
  const ms = readUnit(unit, `${at}.unit`, faults)
  return count === undefined || ms === undefined ? undefined : count * ms
}

function readCount(value: unknown, field: string, faults: Faults): number | undefined {
  if (typeof value !== "number") return void faults.addMismatch(field, value, "a number")
  if (value < 0) return void faults.add(field, "too_small", "must not be below 0")
  if (value > maxSpan) return void faults.add(field, "too_big", `must not be above ${maxSpan}`)
  return value
}

function readUnit(unit: unknown, field: string, faults: Faults): number | undefined {
  if (typeof unit !== "string") return void faults.addMismatch(field, unit, "a string")
  if (isUnit(unit)) return unitMs[unit]
  faults.add(field, "invalid_enum", `must be one of ${Object.keys(unitMs).join(", ")}`)
  return undefined
}

const isUnit = (unit: string): unit is keyof typeof unitMs => Object.hasOwn(unitMs, unit)

const maxDepth = 20

/**
 * A value that the operator ignores is stored as sent, unless it is nested too deeply or contains an infinite number.
 */
function checkUnread(value: unknown, field: string, faults: Faults): void {
  if (!isShallow(value, maxDepth))
    faults.add(field, "too_big", `must have at most ${maxDepth} levels, and numbers that a double can hold`)
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value === "number") return Number.isFinite(value)
  if (typeof value !== "object" || isMissing(value)) return true
  if (levels === 0) return false
  return Object.values(value).every((inner) => isShallow(inner, levels - 1))
}
