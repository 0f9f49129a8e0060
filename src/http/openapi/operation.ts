import { isObject, type JsonObject } from "../../kernel/json.ts"
import { byMember, type Security } from "./describe.ts"
import { countHeaders, headersNamed, refusalsOf } from "./refusals.ts"
import type { Schemas } from "./schemas.ts"

export interface GeneratedOperation {
  readonly method: string
  readonly path: string
  /** As the generator made it; schemas are still those of the routes. */
  readonly operation: Readonly<Record<string, unknown>>
  /** The parameters that the route declares. */
  readonly parameters?: readonly object[]
  /** The schema of a JSON body. */
  readonly body?: Readonly<Record<string, unknown>>
}

/** One operation of the document. */
export function readOperation(generated: GeneratedOperation, schemas: Schemas): JsonObject {
  const { method, path, operation, parameters = [] } = generated
  const { operationId, tags, summary, description, deprecated, ...given } = operation as JsonObject
  const security = (given.security ?? byMember) as Security
  const accepts = (...names: string[]) => security.some((one) => names.some((name) => name in one))
  const body = bodyOf(generated, schemas)
  const own = [...pathParameters(path), ...plainEach(parameters, schemas)]
  const acceptsKey = accepts("secretKey", "publicKey")
  const refusals = refusalsOf({
    acceptsKey,
    acceptsSession: accepts("session"),
    changesState: method !== "get",
    hasBody: body !== undefined,
    hasPathId: own.some((one) => one.in === "path"),
    hasCursor: own.some((one) => one.name === "cursor"),
    isIdempotent: own.some((one) => one.$ref === "#/components/parameters/IdempotencyKey"),
  })
  return {
    operationId: nameOf(operationId, method, path),
    ...(tags === undefined ? {} : { tags }),
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    security: security as JsonObject[],
    parameters: [...own, { $ref: "#/components/parameters/RequestId" }],
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...refusals, ...responsesOf(given.responses, acceptsKey, schemas) },
  }
}

/** The given operation id, or one derived from method and path, of letters only: `getUsersMe`. */
function nameOf(given: unknown, method: string, path: string): string {
  if (typeof given === "string" && /^[a-z][A-Za-z0-9]*$/.test(given)) return given
  const words = path.match(/[A-Za-z0-9]+/g) ?? []
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")
}

/** Parameters named as ids are ids; others are free text. */
const pathParameters = (path: string): JsonObject[] =>
  Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: /id$/i.test(name) ? { type: "string", format: "uuid" } : { type: "string" },
  }))

const plainEach = (parameters: readonly object[], schemas: Schemas): JsonObject[] =>
  parameters.map((one) =>
    "schema" in one && isObject(one.schema) ? { ...one, schema: schemas.plain(one.schema) } : { ...one },
  )

/** A body with a schema is JSON; routes describe other kinds themselves. */
function bodyOf({ body, operation }: GeneratedOperation, schemas: Schemas): JsonObject | undefined {
  if (body) return { required: wantsFields(body), content: { "application/json": { schema: schemas.plain(body) } } }
  const { requestBody: own } = operation
  if (!isObject(own) || !isObject(own.content)) return undefined
  return { ...(own as JsonObject), content: contentOf(own.content, schemas) }
}

/** A missing body is an empty one (contract A1.2.2). */
const wantsFields = ({ required, allOf }: Readonly<Record<string, unknown>>): boolean =>
  (Array.isArray(required) && required.length > 0) || (Array.isArray(allOf) && allOf.some(wantsFields))

function responsesOf(given: unknown, counted: boolean, schemas: Schemas): JsonObject {
  if (!isObject(given)) return {}
  const headers = headersNamed("X-Request-ID", ...(counted ? countHeaders : []))
  return Object.fromEntries(
    Object.entries(given).map(([status, response]) => {
      if (!isObject(response) || "$ref" in response) return [status, response as JsonObject]
      const content = isObject(response.content) ? { content: contentOf(response.content, schemas) } : {}
      return [status, { ...(response as JsonObject), headers, ...content }]
    }),
  )
}

const contentOf = (content: Record<string, unknown>, schemas: Schemas): JsonObject =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      const { schema, ...rest } = isObject(media) ? media : {}
      return [type, { ...(isObject(schema) ? { schema: schemas.plain(schema) } : {}), ...(rest as JsonObject) }]
    }),
  )
