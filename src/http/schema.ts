import {
  FormatRegistry,
  Kind,
  type TObject,
  type TProperties,
  type TSchema,
  Type,
  TypeRegistry,
} from "@sinclair/typebox"
import { parseAddress, parseDomain } from "../kernel/email-address.ts"
import type { Fault, FaultCode } from "../kernel/errors.ts"
import { fault } from "../kernel/errors.ts"
import { parseId } from "../kernel/ids.ts"
import { isObject } from "../kernel/json.ts"
import { isMediaType } from "../kernel/media-type.ts"

/** What a string field requires beyond being a string. Lengths count Unicode code points (contract A0.3). */
export interface TextRule {
  readonly min?: number
  readonly max?: number
  readonly form?: keyof typeof forms
  /** A value of a map. It is not required, so null is a wrong type, not a missing field. */
  readonly entry?: true
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: not allowed in any header, name or file name; a tab is
const control = /[\0-\x08\x0a-\x1f\x7f]/
const holds = (text: string, refused: RegExp) => control.test(text) || refused.test(text)
const nothing = /(?!)/

const forms = {
  address: {
    test: (text: string) => parseAddress(text) !== undefined,
    wants: "an email address such as ada@example.com",
  },
  /** An address where an object with a name is accepted too. */
  recipient: {
    test: (text: string) => parseAddress(text) !== undefined,
    wants: 'an email address such as ada@example.com, or {"name": "Ada", "email": "ada@example.com"}',
  },
  domain: { test: (text: string) => parseDomain(text) !== undefined, wants: "a domain name such as shop.example" },
  id: { test: (text: string) => parseId(text) !== undefined, wants: "a UUID" },
  line: { test: (text: string) => !holds(text, nothing), wants: "text without line breaks and control characters" },
  filename: {
    test: (text: string) => !holds(text, /["\t]/),
    wants: "a file name without line breaks, control characters and quotes",
  },
  mediaType: {
    test: isMediaType,
    wants: "a media type such as text/plain",
  },
  contentId: {
    test: (text: string) => /^[\x20-;=?-~]*$/.test(text),
    wants: "printable ASCII without angle brackets",
  },
  /** As in `en` or `pt-BR` (BCP 47, language and region). */
  language: {
    test: (text: string) => /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/.test(text),
    wants: "a language such as en or pt-BR",
  },
  base64: { test: isBase64, wants: "base64" },
} as const

/** RFC 4648, 4; the padding may be missing, but not in part. */
function isBase64(text: string): boolean {
  const digits = base64Digits(text)
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && digits % 4 !== 1 && (digits === text.length || text.length % 4 === 0)
}

/** The length of base64 text without its padding. */
export const base64Digits = (text: string): number =>
  text.length - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0)

const textKind = "Mailstead.Text"
const ruleKind = "Mailstead.Rule"

/** A string field of a request. */
export const text = (rule: TextRule = {}) =>
  Type.Unsafe<string>({
    [Kind]: textKind,
    type: "string",
    ...(rule.min === undefined ? {} : { minLength: rule.min }),
    ...(rule.max === undefined ? {} : { maxLength: rule.max }),
    rule,
  })

/**
 * A field that is one of these. `choiceFaults` validates it: a literal union would report a value of another JSON type
 * as an invalid choice.
 */
export const choice = <T extends string>(allowed: readonly T[]) => Type.Unsafe<T>({ ...text(), enum: [...allowed] })

export const choiceFaults = (field: string, value: unknown, allowed: readonly string[]): Fault[] =>
  typeof value !== "string" || allowed.includes(value)
    ? []
    : [fault(field, "invalid_enum", `${field} must be one of ${allowed.join(", ")}.`)]

/** The fault of a text that is empty after trimming; an empty text is refused by the rule of its field. */
export function blankFaults(field: string, value: unknown): Fault[] {
  if (typeof value !== "string" || value === "" || value.trim() !== "") return []
  const wrong = textFault({ min: 1 }, "")
  return wrong ? [fault(field, wrong.code, `${field} ${wrong.message}.`)] : []
}

/** A field that may be left out or be null, which means the same (contract A1.1.5). */
export const optional = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]))

/** Whether an optional field has a value. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/**
 * An object of a request. Unknown fields are ignored (contract A1.2.3); without the option Elysia would refuse them.
 */
export const shape = <P extends TProperties>(properties: P) =>
  terse(Type.Object(properties, { additionalProperties: true }))

/** An object with rules over several of its fields; they get the input even if its shape is invalid. */
export const withRules = <S extends TObject>(fields: S, rules: (sent: Record<string, unknown>) => Fault[]) =>
  terse(Type.Intersect([fields, Type.Unsafe<unknown>({ [Kind]: ruleKind, rules })]))

/**
 * The same schema with a fixed error message, here and in every part. Without it Elysia serializes the whole body for
 * the message, indented: this is gigabytes for a small body with many levels, or overflows the stack. `faultsOf`
 * reports the faults.
 */
function terse<S extends TSchema>(schema: S): S {
  const { anyOf, allOf, items, properties, patternProperties } = schema
  const each = (parts: Record<string, TSchema>) =>
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, terse(part)]))
  return {
    ...schema,
    error: "The body is not as it should be.",
    ...(anyOf && { anyOf: anyOf.map(terse) }),
    ...(allOf && { allOf: allOf.map(terse) }),
    ...(items && { items: terse(items) }),
    ...(properties && { properties: each(properties) }),
    ...(patternProperties && { patternProperties: each(patternProperties) }),
  }
}

TypeRegistry.Set<{ rule: TextRule }>(
  textKind,
  ({ rule }, value) => typeof value === "string" && textFault(rule, value) === undefined,
)
TypeRegistry.Set<{ rules: (sent: Record<string, unknown>) => Fault[] }>(
  ruleKind,
  ({ rules }, value) => !isObject(value) || rules(value).length === 0,
)
FormatRegistry.Set("email", () => true)
FormatRegistry.Set("uuid", () => true)

export const isTextSchema = (schema: TSchema): schema is TSchema & { rule: TextRule } => schema[Kind] === textKind
export const isRuleSchema = (
  schema: TSchema,
): schema is TSchema & { rules: (sent: Record<string, unknown>) => Fault[] } => schema[Kind] === ruleKind

/** The fault of a string as code and message, or undefined. */
export function textFault(rule: TextRule, value: string): { code: FaultCode; message: string } | undefined {
  const form = rule.form && forms[rule.form]
  const { min, max } = rule
  if (min !== undefined && value.length < min)
    return { code: "too_small", message: `must have at least ${min} character${min === 1 ? "" : "s"}` }
  // A code point has at most two code units, so only texts within that bound need to be counted.
  if (max !== undefined && value.length > max && (value.length > 2 * max || lengthOf(value) > max))
    return { code: "too_big", message: `must have at most ${max} characters` }
  if (form && !form.test(value)) return { code: "invalid_string", message: `must be ${form.wants}` }
  return undefined
}

/** The length of a text in Unicode code points. */
export function lengthOf(value: string): number {
  let length = 0
  for (const _ of value) length++
  return length
}

export const requiredFault = (field: string): Fault => fault(field, "required", `${field} is required.`)
