import { ParseError, ValidationError } from "elysia"
import { DomainError, type ErrorKind, invalid } from "../kernel/errors.ts"
import { isStoreFault } from "../store/writer.ts"
import { faultsOf } from "./validation.ts"

/** Maps kinds of errors to statuses, the only place that does (contract A1.7). */
const statusOf: Record<ErrorKind, number> = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  invalid: 422,
  too_many: 429,
  unavailable: 503,
}

/** A refusal answered with a bare `{error}` and status 400, which three endpoints use (contract A1.8). */
export class BareError extends Error {}

/** A refusal with additional response headers. */
export class HttpRefusal extends DomainError {
  constructor(
    { kind, code, message, extras }: DomainError,
    readonly headers: Readonly<Record<string, string>>,
  ) {
    super(kind, code, message, extras)
  }
}

export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  /** A fault of the server, not a refusal: it is logged, and the response contains nothing of it. */
  readonly unexpected: boolean
}

/** The error envelope (contract A1.7) for any thrown value. */
export function answerTo(thrown: unknown, request: { requestId: string; method: string; now: number }): Answer {
  const cause = thrown instanceof ParseError && thrown.cause !== undefined ? thrown.cause : thrown
  if (cause instanceof BareError) return { status: 400, body: { error: cause.message }, headers: {}, unexpected: false }
  const error = toDomainError(cause, request.method)
  const status = error ? statusOf[error.kind] : 500
  const { errors, details, suggestion } = error?.extras ?? {}
  const body = {
    success: false,
    error: {
      code: error?.code ?? "INTERNAL_SERVER_ERROR",
      message: error?.message ?? "Something went wrong on our side. The request id tells where to look in the log.",
      statusCode: status,
      requestId: request.requestId,
      ...(errors && errors.length > 0 ? { errors } : {}),
      ...(details ? { details } : {}),
      ...(suggestion ? { suggestion } : {}),
    },
    timestamp: new Date(request.now).toISOString(),
  }
  const headers = {
    ...(error instanceof HttpRefusal ? error.headers : {}),
    ...(details?.retryAfter === undefined ? {} : { "Retry-After": String(details.retryAfter) }),
  }
  return { status, body, headers, unexpected: error === undefined }
}

function toDomainError(cause: unknown, method: string): DomainError | undefined {
  if (cause instanceof DomainError) return cause
  if (cause instanceof ValidationError) {
    const { validator } = cause
    if (!("Errors" in validator)) return undefined
    return invalid(faultsOf(validator.Errors(cause.value), method === "PATCH"))
  }
  if (cause instanceof ParseError) return new DomainError("malformed", "BAD_REQUEST", "The body could not be read.")
  if (isStoreFault(cause))
    return new DomainError("unavailable", "STORE_UNAVAILABLE", "The store cannot be used right now; try again later.")
  return undefined
}
