import type { TSchema } from "@sinclair/typebox"
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors"
import { Value } from "@sinclair/typebox/value"
import { type Fault, type FaultCode, fault } from "../kernel/errors.ts"
import { jsonType } from "../kernel/json.ts"
import { isRuleSchema, isTextSchema, textFault } from "./schema.ts"

/**
 * The validation items of a body: one per faulty field, every field at once (contract A1.7). For a union, the faults
 * are those of the variant that has the JSON type of the value. With `patch`, null clears a field, so null for a field
 * that cannot be cleared is a wrong type, not a missing field (contract A1.1.5). A body of some megabytes could have
 * millions of faults, so only the first are listed.
 */
export function faultsOf(errors: Iterable<ValueError>, patch: boolean): Fault[] {
  const found = new Map<string, Fault>()
  const add = (item: Fault) => {
    if (!found.has(item.field)) found.set(item.field, item)
  }
  for (const error of leaves(errors)) {
    if (isRuleSchema(error.schema))
      for (const item of error.schema.rules(error.value as Record<string, unknown>)) add(item)
    else add(toFault(error, patch))
    if (found.size >= mostFaults) break
  }
  return [...found.values()].slice(0, mostFaults)
}

/** The same for a route that reports faults of records together with those of the body (contract A1.6). */
export const bodyFaults = (schema: TSchema, body: unknown, patch: boolean): Fault[] =>
  faultsOf(Value.Errors(schema, body), patch)

/** More than a body within the limits of contract A9 can have, except in custom headers. */
const mostFaults = 10_000

function* leaves(errors: Iterable<ValueError>): Generator<ValueError> {
  for (const error of errors) {
    if (error.type === ValueErrorType.Intersect) continue
    const variant = error.type === ValueErrorType.Union && !isChoice(error.schema) ? variantFor(error) : -1
    const inner = variant < 0 ? undefined : error.errors[variant]
    if (inner) yield* leaves(inner)
    else yield error
  }
}

/** The variant of a union that has the JSON type of the value. */
function variantFor(error: ValueError): number {
  const variants = (error.schema as TSchema & { anyOf: TSchema[] }).anyOf
  const type = jsonType(error.value)
  const same = variants.findIndex((variant) => (variant.type ?? variant.allOf?.[0]?.type) === type)
  if (same >= 0) return same
  const others = variants.filter((variant) => variant.type !== "null")
  return others.length === 1 && others[0] ? variants.indexOf(others[0]) : -1
}

function toFault(error: ValueError, patch: boolean): Fault {
  const field = fieldOf(error.path)
  const name = field === "" ? "The body" : field
  const missing = error.value === undefined || error.type === ValueErrorType.ObjectRequiredProperty
  if (missing || (error.value === null && !patch && isAsked(error.schema, field)))
    return fault(field, "required", `${name} is required.`)
  if (isTextSchema(error.schema) && typeof error.value === "string") {
    const wrong = textFault(error.schema.rule, error.value)
    if (wrong) return fault(field, wrong.code, `${name} ${wrong.message}.`)
  }
  if (isChoice(error.schema) && choiceTypes(error.schema).includes(jsonType(error.value)))
    return fault(field, "invalid_enum", `${name} must be one of ${choicesOf(error.schema)}.`)
  const [code, says] = limits[error.type] ?? []
  if (code && says) return fault(field, code, `${name} ${says(error.schema)}.`)
  return fault(field, "invalid_type", `${name} must be ${wanted(error.schema)}.`, jsonType(error.value))
}

/** The rules of a schema for a value of the right type, with their error messages. */
const limits: Partial<Record<ValueErrorType, readonly [FaultCode, says: (schema: TSchema) => string]>> = {
  [ValueErrorType.ArrayMinItems]: ["too_small", ({ minItems }) => `must have at least ${items(minItems)}`],
  [ValueErrorType.ArrayMaxItems]: ["too_big", ({ maxItems }) => `must have at most ${items(maxItems)}`],
}

const items = (count: number): string => (count === 1 ? "1 item" : `${count.toLocaleString("en")} items`)

/** Whether the schema names the field, in contrast to the items of a list and the entries of a map. */
const isAsked = (schema: TSchema, field: string): boolean =>
  field !== "" && !isIndex(field.slice(field.lastIndexOf(".") + 1)) && !(isTextSchema(schema) && schema.rule.entry)

const isIndex = (name: string): boolean => /^\d+$/.test(name)

const isChoice = (schema: TSchema): boolean =>
  Array.isArray(schema.anyOf) && schema.anyOf.some((variant: TSchema) => "const" in variant)

const choicesOf = (schema: TSchema): string =>
  schema.anyOf.flatMap((variant: TSchema) => ("const" in variant ? [String(variant.const)] : [])).join(", ")

const choiceTypes = (schema: TSchema): string[] =>
  schema.anyOf.flatMap((variant: TSchema) => ("const" in variant ? [jsonType(variant.const)] : []))

function wanted(schema: TSchema): string {
  const variants: TSchema[] = schema.anyOf ?? [schema]
  const types = [...new Set(variants.map((variant) => variant.type ?? variant.allOf?.[0]?.type ?? "another type"))]
  return types.map((type) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)).join(" or ")
}

const fieldOf = (pointer: string): string =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(".")
