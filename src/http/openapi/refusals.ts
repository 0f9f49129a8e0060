import { Type } from "@sinclair/typebox"
import type { FaultCode } from "../../kernel/errors.ts"
import type { JsonObject } from "../../kernel/json.ts"
import { about, oneOf, refusalNames, time } from "./describe.ts"

const faultCodes = [
  "required",
  "invalid_type",
  "invalid_string",
  "too_small",
  "too_big",
  "invalid_enum",
  "custom",
  "reserved_event",
] as const satisfies readonly FaultCode[]

/** One thing that is wrong (contract A1.7). */
export const faultSchema = Type.Object(
  {
    field: about("Dotted path of the field, such as `to.1.email`; empty for the body itself.", Type.String()),
    message: Type.String(),
    code: oneOf(faultCodes),
    received: Type.Optional(about("What was sent: a JSON type, or the reserved name.", Type.String())),
  },
  { title: "Fault" },
)

/** The error envelope (contract A1.7). */
export const errorSchema = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object({
      code: about("For programs. Depend on this and the status, not on the message.", Type.String()),
      message: about("For people.", Type.String()),
      statusCode: Type.Integer(),
      requestId: about("The `X-Request-ID` of this request, to be found in the log.", Type.String()),
      errors: Type.Optional(
        about("Everything that is wrong with the body, one item per field.", Type.Array(faultSchema)),
      ),
      details: Type.Optional(about("Facts that belong to the code.", Type.Object({}, { additionalProperties: true }))),
      suggestion: Type.Optional(about("What to do about it.", Type.String())),
    }),
    timestamp: time(),
  },
  { title: "Error" },
)

type Status = keyof typeof refusalNames

interface Refusal {
  readonly description: string
  readonly error: { readonly code: string; readonly message: string } & JsonObject
}

/** When each status is used, with an example. */
const refusals: Record<Status, Refusal> = {
  400: {
    description: "The request cannot be read, or breaks a rule that is not about one field.",
    error: { code: "BAD_REQUEST", message: "The body is not valid JSON." },
  },
  401: {
    description: "The credentials are missing, unknown, or of the wrong kind for this endpoint.",
    error: { code: "INVALID_API_KEY", message: "A valid secret API key is needed." },
  },
  403: {
    description: "The caller is known but may not do this, or the project is disabled.",
    error: { code: "PROJECT_DISABLED", message: "This project is disabled." },
  },
  404: {
    description: "Nothing of this project has that id.",
    error: { code: "RESOURCE_NOT_FOUND", message: "Email not found." },
  },
  409: {
    description: "The request contradicts what is stored, or its idempotency key was used before.",
    error: { code: "CONFLICT", message: "Another contact has this address." },
  },
  413: {
    description:
      "The body is larger than 1 MB for one event, 64 KB for accounts and their projects, 50 MB for all else.",
    error: { code: "PAYLOAD_TOO_LARGE", message: "The body is larger than 52428800 bytes." },
  },
  422: {
    description: "Fields of the request are wrong. All of them are listed.",
    error: {
      code: "VALIDATION_ERROR",
      message: "email must be an email address such as ada@example.com.",
      errors: [
        { field: "email", message: "email must be an email address such as ada@example.com.", code: "invalid_string" },
      ],
    },
  },
  429: {
    description: "Too many requests. `Retry-After` has the seconds to wait.",
    error: {
      code: "RATE_LIMIT_EXCEEDED",
      message: "Too many requests: try again in 12 seconds.",
      details: { retryAfter: 12 },
    },
  },
  500: {
    description: "Something went wrong on the side of the server.",
    error: { code: "INTERNAL_SERVER_ERROR", message: "Something went wrong on our side." },
  },
  503: {
    description:
      "The server cannot do this at the moment, and did nothing. `Retry-After` has the seconds to wait, if known.",
    error: {
      code: "SERVICE_UNAVAILABLE",
      message: "Too many large requests at a time.",
      details: { retryAfter: 5 },
    },
  },
}

/** What counted responses carry, refusals too (contract A1.9.3). */
export const countHeaders = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"]

/** Shared headers, for a response. */
export const headersNamed = (...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const statuses = Object.keys(refusals).map(Number) as Status[]

/** The shared responses, for `components`; `reference` is how the envelope is referred to. */
export const refusalResponses = (envelope: JsonObject): JsonObject =>
  Object.fromEntries(statuses.map((status) => [refusalNames[status], response(status, envelope)]))

function response(status: Status, schema: JsonObject): JsonObject {
  const { description, error } = refusals[status]
  const { code, message, ...rest } = error
  const requestId = "0199c0de-0000-7000-8000-0000000000ff"
  const example = {
    success: false,
    error: { code, message, statusCode: status, requestId, ...rest },
    timestamp: "2026-01-31T09:15:00.000Z",
  }
  return {
    description,
    headers: headersNamed(
      "X-Request-ID",
      ...(status === 429 || status === 503 ? ["Retry-After"] : []),
      // A request that no key of a project was known for is not counted.
      ...(status === 401 ? [] : countHeaders),
    ),
    content: { "application/json": { schema, example } },
  }
}

/** The properties of an operation that determine its refusals. */
interface Traits {
  readonly acceptsKey: boolean
  readonly acceptsSession: boolean
  readonly changesState: boolean
  readonly hasBody: boolean
  readonly hasPathId: boolean
  readonly hasCursor: boolean
  readonly isIdempotent: boolean
}

/** The refusals that follow from the properties of an operation, in the order of contract A1.6. */
export function refusalsOf(traits: Traits): JsonObject {
  const { acceptsKey, acceptsSession, changesState, hasBody, hasPathId, hasCursor, isIdempotent } = traits
  // Where none is asked for, a body is read all the same. Reports of providers have no caller and forms of their own.
  const readsBody = hasBody || (changesState && (acceptsKey || acceptsSession))
  const applies: Record<Status, boolean> = {
    // If a session and a key are both allowed, a session needs the header that names the project.
    400: readsBody || hasCursor || (acceptsKey && acceptsSession),
    401: acceptsKey || acceptsSession,
    // Of a session: from another site, of an account without a confirmed address, or not of this project.
    403: acceptsKey || acceptsSession || changesState,
    404: hasPathId,
    409: isIdempotent,
    413: readsBody,
    422: readsBody || isIdempotent,
    429: acceptsKey,
    500: true,
    503: hasBody || changesState,
  }
  return Object.fromEntries(
    statuses
      .filter((status) => applies[status])
      .map((status) => [status, { $ref: `#/components/responses/${refusalNames[status]}` }]),
  )
}
