import type { TSchema } from "@sinclair/typebox"
import { isObject, type Json, type JsonObject } from "../../kernel/json.ts"
import { isRuleSchema, type TextRule } from "../schema.ts"

/** The forms of our text fields as JSON Schema, in regular expressions that all languages have. */
const words: Record<NonNullable<TextRule["form"]>, JsonObject> = {
  address: { format: "email" },
  recipient: { format: "email" },
  domain: { format: "hostname" },
  id: { format: "uuid" },
  line: { pattern: "^[^\\x00-\\x08\\x0a-\\x1f\\x7f]*$" },
  filename: { pattern: '^[^\\x00-\\x1f\\x7f"]*$' },
  mediaType: { pattern: "^[A-Za-z0-9_!#$&^.+-]+/[A-Za-z0-9_!#$&^.+-]+[ \\t]*(;[ -~]*)?$" },
  contentId: { pattern: "^[ -;=?-~]*$" },
  language: { pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$" },
  base64: { contentEncoding: "base64" },
}

const listsOfSchemas = ["anyOf", "oneOf", "allOf", "prefixItems"]
const mapsOfSchemas = ["properties", "patternProperties"]
const singleSchemas = ["items", "additionalProperties", "not", "contains", "propertyNames"]
const ours = ["rule", "rules", "error", "$id"]

type Schema = Readonly<Record<string, unknown>>

/** Converts TypeBox schemas to plain JSON Schema 2020-12, as used by OpenAPI 3.1. */
export interface Schemas {
  /** The schema itself, or a reference when it has a `title`; its description stays with the reference. */
  plain(schema: TSchema | Schema): JsonObject
  /** Every titled schema met so far, by its title. */
  readonly shared: JsonObject
}

export function createSchemas(): Schemas {
  const shared: JsonObject = {}
  /** Recursive schemas refer to their `$id`. */
  const recursive = new Map<unknown, JsonObject>()

  function plain(given: Schema): JsonObject {
    const { description, ...schema } = withoutRules(given)
    const said = typeof description === "string" ? { description } : {}
    const { title } = schema
    if (typeof title !== "string") return { ...nullable(convert(schema)), ...said }
    const reference = { $ref: `#/components/schemas/${title}` }
    if (schema.$id !== undefined) recursive.set(schema.$id, reference)
    const own = nullable(convert(schema))
    const known = shared[title]
    if (known !== undefined && !Bun.deepEquals(known, own))
      throw new Error(`Two different schemas are called ${title}.`)
    shared[title] = own
    return { ...reference, ...said }
  }

  function convert(schema: Schema): JsonObject {
    const out: JsonObject = {}
    for (const [key, value] of Object.entries(withOpenMap(schema))) {
      if (ours.includes(key) || value === undefined) continue
      // Generated clients take it for the text "true", and refuse the answer of a mail that was accepted.
      if (key === "const" && typeof value === "boolean") continue
      if (listsOfSchemas.includes(key) && Array.isArray(value)) out[key] = value.map(plain)
      else if (mapsOfSchemas.includes(key) && isObject(value)) out[key] = mapOf(value)
      else if (singleSchemas.includes(key) && isObject(value)) out[key] = plain(value)
      else out[key] = value as Json
    }
    return { ...withoutDefaults(out), ...formOf(schema.rule), ...recursive.get(schema.$ref) }
  }

  const mapOf = (schemas: Record<string, unknown>): JsonObject =>
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plain(schema as Schema)]))

  return { plain, shared }
}

/** An intersection with rules over several fields becomes the object alone, because JSON Schema cannot express them. */
function withoutRules(schema: Schema): Schema {
  if (!Array.isArray(schema.allOf)) return schema
  const parts = schema.allOf.filter((part: TSchema) => !isRuleSchema(part))
  const { allOf: _, ...rest } = schema
  return parts.length === 1 ? { ...rest, ...parts[0] } : { ...schema, allOf: parts }
}

/** Removes the defaults of JSON Schema, such as that an object may have additional properties. */
function withoutDefaults({ properties, additionalProperties, ...schema }: JsonObject): JsonObject {
  const isOpen = additionalProperties === undefined || additionalProperties === true
  const hasFields = isObject(properties) && Object.keys(properties).length > 0
  return {
    ...schema,
    ...(hasFields ? { properties } : {}),
    ...(additionalProperties === undefined || (isOpen && hasFields) ? {} : { additionalProperties }),
  }
}

const formOf = (rule: unknown): JsonObject => {
  const { form } = (rule ?? {}) as TextRule
  return form === undefined ? {} : words[form]
}

/** A map from any name to one schema reads better as `additionalProperties`. */
function withOpenMap({ patternProperties, ...schema }: Schema): Schema {
  if (!isObject(patternProperties)) return schema
  const [only, ...others] = Object.entries(patternProperties)
  if (only?.[0] !== "^(.*)$" || others.length > 0) return { patternProperties, ...schema }
  return { ...schema, additionalProperties: only[1] }
}

/** Unions in their shortest form: literals as `enum`, unions within unions flat, null as a second `type`. */
function nullable(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return withNullInEnum(schema)
  const { variants, said } = variantsOf(anyOf.filter(isObject) as JsonObject[])
  const outer = { ...said, ...rest }
  const [only, ...more] = withEnum(variants.filter(({ type }) => type !== "null"))
  const isNullable = variants.some(({ type }) => type === "null")
  if (only && more.length === 0) {
    if (!isNullable) return { ...only, ...outer }
    if (typeof only.type === "string") return withNullInEnum({ ...only, ...outer, type: [only.type, "null"] })
  }
  return { ...outer, anyOf: [...(only ? [only, ...more] : []), ...(isNullable ? [{ type: "null" }] : [])] }
}

/**
 * The variants of a union with those of the unions in it; the description of the only one that is not null is used for
 * all.
 */
function variantsOf(parts: readonly JsonObject[]): { variants: JsonObject[]; said: JsonObject } {
  const [only, ...more] = parts.filter(({ type }) => type !== "null")
  const said = only && more.length === 0 && only.description !== undefined ? { description: only.description } : {}
  const variants = parts.flatMap(({ description, ...part }) => {
    if (Array.isArray(part.anyOf) && Object.keys(part).length === 1) return part.anyOf as JsonObject[]
    return description === undefined || "description" in said ? [part] : [{ ...part, description }]
  })
  return { variants, said }
}

/** Merges several literals into one `enum`. */
function withEnum(variants: readonly JsonObject[]): JsonObject[] {
  const [first, ...more] = variants.filter((part) => "const" in part)
  if (!first || more.length === 0) return [...variants]
  const choice = { type: first.type ?? "string", enum: [first, ...more].map((part) => part.const ?? null) }
  return [choice, ...variants.filter((part) => !("const" in part))]
}

function withNullInEnum(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema
  const isNullable = Array.isArray(type) && type.includes("null")
  return isNullable && Array.isArray(values) && !values.includes(null) ? { ...schema, enum: [...values, null] } : schema
}
