import { type Static, type TSchema, Type } from "@sinclair/typebox"
import type { DocumentDecoration } from "elysia"

/* What a route declares in its `detail`, for the document only: neither requests nor responses are validated against
   it. A schema with a `title` becomes a component of that name. */

type Responses = NonNullable<DocumentDecoration["responses"]>
type Parameters = NonNullable<DocumentDecoration["parameters"]>
export type Security = NonNullable<DocumentDecoration["security"]>

/** Who may call. `byMember`, a secret key or a session with its project, is the default. */
export const byMember: Security = [{ secretKey: [] }, { session: [], project: [] }]
export const byPublicKey: Security = [{ publicKey: [] }]
export const bySecretKey: Security = [{ secretKey: [] }]
export const bySession: Security = [{ session: [] }]
export const byAnyone: Security = []

/** The same schema with a description. */
export const about = <S extends TSchema>(description: string, schema: S): S => ({ ...schema, description })

/** The same schema as a component of the document, with an example. */
export const named = <S extends TSchema>(title: string, schema: S, example?: Static<S>): S => ({
  ...schema,
  title,
  ...(example === undefined ? {} : { examples: [example] }),
})

const meaning = {
  200: "Done.",
  201: "Created.",
  202: "Accepted: the work goes on in the background.",
  204: "Done. There is no body.",
  503: "Not able to work at the moment.",
}

/** A response: its status, the schema of the body and an example; without a schema there is no body. */
export function answers(status: 204): Responses
export function answers<S extends TSchema>(status: 200 | 201 | 202 | 503, schema: S, example: Static<S>): Responses
export function answers(status: keyof typeof meaning, schema?: TSchema, example?: unknown): Responses {
  return { [status]: { description: meaning[status], ...(schema ? content("application/json", schema, example) : {}) } }
}

/** A success whose body is not JSON, but of one of these types. */
export const answersWith = (
  types: readonly string[],
  description: string,
  schema: TSchema = Type.String(),
): Responses => ({
  200: { description, content: Object.fromEntries(types.map((type) => [type, { schema }])) },
})

/** A body that is not text, which generated clients must not decode. */
export const bytes = () => Type.String({ format: "binary" })

const content = (type: string, schema: TSchema, example?: unknown) => ({
  content: { [type]: { schema, ...(example === undefined ? {} : { example }) } },
})

/** A refusal of a route, in addition to those that follow from credentials, body and path. */
export const refuses = (...statuses: readonly (400 | 401 | 403 | 404 | 409 | 413 | 429)[]): Responses =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${refusalNames[status]}` }]))

/** A 400 that may be bare (contract A1.8). */
export const bareRefusal = (error: string): Responses => ({
  400: {
    description: "A field without which nothing else is looked at is missing: a bare error. Otherwise the envelope.",
    ...content("application/json", Type.Union([bareError, Type.Ref("#/components/schemas/Error")]), { error }),
  },
})

const bareError = Type.Object({ error: Type.String() }, { title: "BareError" })

/** The names of the shared refusals, by status. */
export const refusalNames = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  413: "PayloadTooLarge",
  422: "ValidationError",
  429: "RateLimitExceeded",
  500: "InternalServerError",
  503: "ServiceUnavailable",
} as const

/** Query parameters. The route parses them itself, because a query is hardly ever refused (contract A1.4). */
export const query = (fields: Readonly<Record<string, TSchema>>): Parameters =>
  Object.entries(fields).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    ...(description === undefined ? {} : { description }),
    schema,
    // Omitted from the example request of the page, which would otherwise use the first choice.
    ...(schema.enum ? { examples: { default: { value: schema.enum[0], "x-disabled": true } } } : {}),
  }))

/** The header that makes a repeated request harmless (contract A1.10). */
export const idempotencyKey: Parameters = [{ $ref: "#/components/parameters/IdempotencyKey" }]

/** The parameters of a cursor list (contract A1.4). */
export const cursorQuery = query({
  limit: about("How many items to return.", Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
  cursor: about("The `cursor` of the page before. Repeat all other parameters with it.", Type.String()),
})

/** The response of a cursor list. */
export const cursorAnswer = <S extends TSchema>(item: S, example: Static<S>): Responses => ({
  200: {
    description: meaning[200],
    ...content("application/json", cursorPage(item), { data: [example], hasMore: false, total: 1 }),
  },
})

const cursorPage = (item: TSchema): TSchema =>
  Type.Object({
    data: Type.Array(item),
    cursor: Type.Optional(about("Leads to the next page; absent on the last one.", Type.String())),
    hasMore: Type.Boolean(),
    total: about("All matches on the first page, 0 on those after it.", Type.Integer()),
  })

/** A body with one file in it. */
export const fileBody = (field: string, description: string): NonNullable<DocumentDecoration["requestBody"]> => ({
  required: true,
  content: {
    "multipart/form-data": {
      schema: {
        type: "object",
        required: [field],
        properties: { [field]: { type: "string", format: "binary", description } },
      },
    },
  },
})

/** The response of `/v1` endpoints (contract A1.2.7). */
export const wrapped = <S extends TSchema>(data: S) => Type.Object({ success: Type.Literal(true), data })

// Schemas that occur in every resource
export const id = () => Type.String({ format: "uuid" })
export const time = () => Type.String({ format: "date-time" })
export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
/** What is always null, as a text that may be: generators of clients have no type for null alone. */
export const onlyNull = () => Type.Unsafe<null>({ type: ["string", "null"], description: "Always null." })
export const oneOf = <const T extends string>(values: readonly T[]) =>
  Type.Unsafe<T>({ type: "string", enum: [...values] })
export const anyObject = () =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({ type: "object", additionalProperties: true })
