import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020"
import addFormats from "ajv-formats"
import type { ApiAnswer } from "./api.ts"

// biome-ignore lint/suspicious/noExplicitAny: tests look into documents freely
type Any = any

export interface Operation {
  readonly route: string
  readonly method: string
  readonly path: string
  readonly detail: Any
}

/** An OpenAPI document that responses can be validated against. */
export interface Document {
  readonly raw: Any
  operation(route: string): Operation
  /** The example of an operation's request body, if it has one. */
  requestExample(route: string): Any
  /** The schema of that body. */
  requestSchema(route: string): Any
  /** The faults of a value; unknown fields count as faults. */
  faultsOf(schema: object, value: unknown): string[]
  /** The faults of a response: of its status, its count of requests, or its body. */
  faultsOfAnswer(operation: Operation, answer: ApiAnswer): string[]
}

export function readDocument(raw: Any): Document {
  const closed = withoutStrangers(raw)
  const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
  ajv.addSchema({ ...closed, $id: "document" })

  /** Compiled once for each schema of the document, because compiling takes far longer than checking. */
  const checks = new Map<object, ValidateFunction>()
  const checkOf = (schema: object): ValidateFunction => {
    const check = checks.get(schema) ?? ajv.compile(absolute(withoutStrangers(schema)))
    checks.set(schema, check)
    return check
  }

  const resolve = (one: Any): Any => (one?.$ref ? resolve(at(closed, one.$ref)) : one)
  const document: Document = {
    raw,
    operation(route) {
      const found = operationsOf(document).find((one) => one.route === route)
      if (!found) throw new Error(`${route} is not in the document`)
      return found
    },
    requestExample: (route) => document.requestSchema(route).examples?.[0],
    requestSchema(route) {
      const { content } = document.operation(route).detail.requestBody
      return resolve(content["application/json"].schema)
    },
    faultsOf(schema, value) {
      const check = checkOf(schema)
      if (check(value)) return []
      return (check.errors ?? []).map(({ instancePath, message }: ErrorObject) => `${instancePath} ${message}`)
    },
    faultsOfAnswer({ detail }, { status, headers, body }) {
      const described = resolve(detail.responses[status])
      if (!described) return [`the status ${status} is not described`]
      const told = [...headers.keys()].filter((name) => /^(ratelimit-|retry-after)/.test(name))
      const known = Object.keys(described.headers ?? {}).map((name) => name.toLowerCase())
      const unknown = told.filter((name) => !known.includes(name))
      if (unknown.length > 0) return unknown.map((name) => `the header ${name} is not described`)
      const type = headers.get("content-type")?.split(";")[0] ?? ""
      if (!described.content) return body === undefined ? [] : ["there is a body"]
      const media = described.content[type]
      return media ? document.faultsOf(media.schema, body) : [`the type ${type} is not described`]
    },
  }
  return document
}

export const operationsOf = ({ raw }: Document): Operation[] =>
  Object.entries<Any>(raw.paths).flatMap(([path, item]) =>
    Object.entries<Any>(item).map(([method, detail]) => ({
      route: `${method.toUpperCase()} ${path}`,
      method,
      path,
      detail,
    })),
  )

/** Every example with its schema, of bodies and of components. */
export function* eachExample({ raw }: Document): Generator<{ where: string; schema: object; example: unknown }> {
  const found: { where: string; schema: object; example: unknown }[] = []
  const walk = (value: Any, where: string): void => {
    if (typeof value !== "object" || value === null) return
    if (value.schema && "example" in value) found.push({ where, schema: value.schema, example: value.example })
    if (value.title && value.examples) {
      for (const example of value.examples) found.push({ where, schema: value, example })
    }
    for (const [key, inner] of Object.entries(value)) walk(inner, `${where}/${key}`)
  }
  walk(raw, "")
  yield* found
}

/** Forbids additional fields: a field in a response that is not in the document is an omission of the document. */
function withoutStrangers(value: Any): Any {
  if (Array.isArray(value)) return value.map(withoutStrangers)
  if (typeof value !== "object" || value === null) return value
  const inner = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutStrangers(one)]))
  const isObjectSchema = value.type === "object" && value.properties && !("additionalProperties" in value)
  return isObjectSchema ? { ...inner, additionalProperties: false } : inner
}

const absolute = (schema: Any): Any =>
  JSON.parse(JSON.stringify(schema, (key, value) => (key === "$ref" ? `document${value}` : value)))

const at = (root: Any, ref: string): Any =>
  ref
    .slice(2)
    .split("/")
    .reduce((value, key) => value[key.replaceAll("~1", "/").replaceAll("~0", "~")], root)
