/** The kinds of domain errors. Only `http/envelope.ts` knows the HTTP status of each. */
export type ErrorKind =
  | "malformed"
  | "invalid"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "too_large"
  | "too_many"
  | "unavailable"

export type FaultCode =
  | "required"
  | "invalid_type"
  | "invalid_string"
  | "too_small"
  | "too_big"
  | "invalid_enum"
  | "custom"
  | "reserved_event"

/** One faulty field of a request: `field` is a dotted path, `""` the body itself (contract A1.7). */
export interface Fault {
  field: string
  message: string
  code: FaultCode
  received?: string
}

export interface ErrorExtras {
  details?: Record<string, unknown>
  errors?: readonly Fault[]
  suggestion?: string
}

/** The only error type of the domain: a named refusal whose content may be shown to the caller. */
export class DomainError extends Error {
  constructor(
    readonly kind: ErrorKind,
    readonly code: string,
    message: string,
    readonly extras: ErrorExtras = {},
  ) {
    super(message)
    this.name = "DomainError"
  }
}

export const fault = (field: string, code: FaultCode, message: string, received?: string): Fault =>
  received === undefined ? { field, message, code } : { field, message, code, received }

export const malformed = (message: string, extras?: ErrorExtras): DomainError =>
  new DomainError("malformed", "BAD_REQUEST", message, extras)

export const invalid = (errors: readonly Fault[], extras?: Omit<ErrorExtras, "errors">): DomainError =>
  new DomainError("invalid", "VALIDATION_ERROR", errors[0]?.message ?? "The request is not valid.", {
    ...extras,
    errors,
  })

export const conflict = (message: string, details?: Record<string, unknown>): DomainError =>
  new DomainError("conflict", "CONFLICT", message, details ? { details } : {})

export const forbidden = (message: string): DomainError => new DomainError("forbidden", "FORBIDDEN", message)

const namedResources = ["Contact", "Template", "Campaign", "Workflow"]

/** 404 for a record. Four resources have codes of their own and are named in `details` (contract A1.7). */
export function notFound(resource: string, id: string): DomainError {
  const message = `${resource} not found.`
  return namedResources.includes(resource)
    ? new DomainError("not_found", `${resource.toUpperCase()}_NOT_FOUND`, message, { details: { resource, id } })
    : new DomainError("not_found", "RESOURCE_NOT_FOUND", message)
}
