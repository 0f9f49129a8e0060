import { type Fault, fault, invalid } from "../../kernel/errors.ts"
import { isObject, type Json, type JsonObject } from "../../kernel/json.ts"
import type { FieldType } from "./table.ts"

/** Keys that are never stored and never reach a template from `data` (contract A2.1.4). */
const reservedKeys = new Set([
  "id",
  "svc_id",
  "svc_email",
  "email",
  "unsubscribeUrl",
  "subscribeUrl",
  "manageUrl",
  "__proto__",
])

export const isReservedKey = (key: string): boolean => reservedKeys.has(key)

export interface Patched {
  /** What is stored; the same object when nothing changed. */
  readonly stored: JsonObject
  /** What templates of this request see: stored data overlaid by request-only values. */
  readonly visible: JsonObject
  /** Keys that the contact has gained and lost, for the counts of the field catalogue. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/**
 * Applies the sent keys to stored data: `null` deletes, `""` is ignored, reserved keys vanish, `{value, persistent:
 * false}` is for this request only (contract A2.1). Pure. @throws {DomainError} 422 when the result is larger than a
 * contact may be
 */
export function patchData(stored: JsonObject, sent: JsonObject | undefined): Patched {
  if (sent === undefined) return { stored, visible: stored, added: [], removed: [] }
  checkSent(sent)
  const next: JsonObject = { ...stored }
  const transient: JsonObject = {}
  const added: string[] = []
  const removed: string[] = []
  let changed = false
  for (const name of Object.keys(sent)) {
    const value = sent[name] as Json
    if (value === "" || reservedKeys.has(name)) continue
    // Lone surrogates cannot be stored as text, so the field catalogue could not find such a key again.
    const key = name.toWellFormed()
    const had = Object.hasOwn(next, key)
    if (isRequestOnly(value)) {
      transient[key] = value.value
    } else if (value === null) {
      if (!had) continue
      delete next[key]
      removed.push(key)
      changed = true
    } else if (!had || !isSame(next[key], value)) {
      next[key] = value
      if (!had) added.push(key)
      changed = true
    }
  }
  const result = changed ? next : stored
  if (changed) checkStored(result)
  return { stored: result, visible: { ...result, ...transient }, added, removed }
}

/** Sent data as workflows and templates see it: request-only values unwrapped (contract A2.2). */
export const unwrapped = (sent: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, isRequestOnly(value) ? value.value : value]))

/** `{value, persistent: false}` and nothing else (contract A2.1.3). */
function isRequestOnly(value: Json): value is { value: Json; persistent: false } {
  return isObject(value) && value.persistent === false && "value" in value && Object.keys(value).length === 2
}

const isSame = (a: Json | undefined, b: Json): boolean =>
  a === b || (typeof a === "object" && typeof b === "object" && JSON.stringify(a) === JSON.stringify(b))

const maxKeyLength = 255
const maxDepth = 20
const maxBytes = 256 * 1024

/** Faults in the data of a request that do not depend on the contact (contract A2.1.6). */
export function dataFaults(sent: unknown): Fault[] {
  if (!isObject(sent)) return []
  for (const key of Object.keys(sent)) {
    if (key === "" || (key.length > maxKeyLength && [...key].length > maxKeyLength))
      return [tooBig(`A key of data must have 1 to ${maxKeyLength} characters.`)]
    const value = sent[key] as Json
    if (!fits(isRequestOnly(value) ? value.value : value, maxDepth - 1))
      return [tooBig(`data must have at most ${maxDepth} levels, and numbers that a double can hold.`)]
  }
  return []
}

function checkSent(sent: JsonObject): void {
  const faults = dataFaults(sent)
  if (faults.length > 0) throw invalid(faults)
}

/** The same for data that is stored as sent, request-only values included: what an event keeps. */
export function eventDataFaults(sent: unknown): Fault[] {
  const faults = dataFaults(sent)
  return faults.length > 0 || !isObject(sent) || isWithinSize(sent) ? faults : [oversized]
}

function checkStored(data: JsonObject): void {
  if (!isWithinSize(data)) throw invalid([oversized])
}

const isWithinSize = (data: object): boolean => Buffer.byteLength(JSON.stringify(data)) <= maxBytes

/** Whether a value has at most `levels` levels, and only numbers that JSON can express; never descends further. */
function fits(value: Json, levels: number): boolean {
  if (typeof value === "number") return Number.isFinite(value)
  if (typeof value !== "object" || value === null) return true
  if (levels === 0) return false
  for (const inner of Array.isArray(value) ? value : Object.values(value)) if (!fits(inner, levels - 1)) return false
  return true
}

const tooBig = (message: string): Fault => fault("data", "too_big", message)
const oversized = tooBig(`data must have at most ${maxBytes} bytes as JSON.`)

const dateForm = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2})(?:\.\d{3})?Z)?$/

/** The type that the first non-null value of a key gives its field, for the whole project (contract A2.3). */
export function typeOf(value: Json): FieldType {
  if (typeof value === "number") return "number"
  if (typeof value === "boolean") return "boolean"
  return typeof value === "string" && isDate(value) ? "date" : "string"
}

/** `YYYY-MM-DD`, alone or with a time in Z, of a day and a time that exist. */
function isDate(text: string): boolean {
  const [, year, month, day, hour = "0", minute = "0", second = "0"] = dateForm.exec(text) ?? []
  if (year === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return false
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  date.setUTCFullYear(Number(year))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}
