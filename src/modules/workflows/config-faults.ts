import { isGiven } from "../../http/schema.ts"
import { type Fault, type FaultCode, fault } from "../../kernel/errors.ts"
import { isObject, jsonType } from "../../kernel/json.ts"
import { compileTemplate, TemplateFault } from "../../mail/render/index.ts"

/* The faults that configs of several types of steps have (contract B5.4). */

export const at = (key: string, code: FaultCode, says: string): Fault[] => [
  fault(`config.${key}`, code, `config.${key} ${says}.`),
]
export const mistyped = (key: string, value: unknown, wanted: string): Fault[] => [
  fault(`config.${key}`, "invalid_type", `config.${key} must be ${wanted}.`, jsonType(value)),
]
export const required = (key: string) => at(key, "required", "is required")

export function wordFaults(key: string, value: unknown, max: number): Fault[] {
  if (typeof value !== "string") return mistyped(key, value, "a string")
  if (value.trim() === "") return required(key)
  return Array.from(value).length > max ? at(key, "too_big", `must have at most ${max} characters`) : []
}

export function choiceFaults(key: string, value: unknown, allowed: readonly string[]): Fault[] {
  if (!isGiven(value)) return []
  if (typeof value !== "string") return mistyped(key, value, "a string")
  return allowed.includes(value) ? [] : at(key, "invalid_enum", `must be one of ${allowed.join(", ")}`)
}

/** Faults of a number that is above 0 and at most `max`. */
export function amountFaults(key: string, value: unknown, max: number): Fault[] {
  if (typeof value !== "number") return mistyped(key, value, "a number")
  if (value <= 0) return at(key, "too_small", "must be more than 0")
  return value > max ? at(key, "too_big", "must be at most 365 days") : []
}

export const hasPlaceholder = (text: string): boolean => text.includes("{{")

/** The first fault of template syntax in the strings of a value, at any depth, under one key. */
export function syntaxFaults(key: string, value: unknown): Fault[] {
  if (typeof value === "string") {
    if (!hasPlaceholder(value)) return []
    try {
      compileTemplate(value, "subject")
      return []
    } catch (cause) {
      if (cause instanceof TemplateFault)
        return at(key, "custom", `is not a valid template: ${cause.message.replace(/\.$/, "")}`)
      throw cause
    }
  }
  const parts = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
  for (const part of parts) {
    const faults = syntaxFaults(key, part)
    if (faults.length > 0) return faults
  }
  return []
}
