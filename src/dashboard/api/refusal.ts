import { ApiError, type FieldFault } from "./http.ts"

/** The position of a syntax fault in content (contract A3.5); both from 1. */
export interface SyntaxFault {
  readonly field: "subject" | "body" | "text"
  readonly line: number
  readonly column: number
  readonly message: string
}

/** The reasons of a refusal, arranged for a form. */
export interface Refusal {
  /** By the field of each; `other` concerns no field. */
  readonly faults: FaultTexts
  readonly syntax: SyntaxFault | null
  /** The faults of a condition, by their paths from its root (contract B2.5). */
  readonly condition: readonly FieldFault[]
}

export type FaultTexts = Readonly<Record<string, string>>

export const noRefusal: Refusal = { faults: {}, syntax: null, condition: [] }

/** How a form arranges a refusal. */
export interface Form {
  readonly fields: readonly string[]
  /** Texts instead of the server's messages, by `field:code`. */
  readonly texts?: FaultTexts
  /** The field that holds a condition. */
  readonly condition?: string
  /** The field of a refusal that names none, by its status and code: `409 CONFLICT`. */
  readonly fieldOf?: Readonly<Record<string, string>>
}

/** Arranges a refusal of the server by the fields of the form. */
export function refusalOf(cause: unknown, { fields, texts = {}, condition, fieldOf = {} }: Form): Refusal {
  if (!(cause instanceof ApiError)) return { ...noRefusal, faults: { other: reasonOf(cause) } }
  const concerned = fieldOf[`${cause.status} ${cause.code}`]
  if (cause.faults.length === 0 || concerned)
    return { ...noRefusal, faults: { [concerned ?? "other"]: cause.message }, syntax: syntaxFaultOf(cause) }
  const isInCondition = ({ field }: FieldFault) =>
    condition !== undefined && (field === condition || field.startsWith(`${condition}.`))
  return {
    faults: Object.fromEntries(
      cause.faults
        .filter((fault) => !isInCondition(fault))
        .map(({ field, code, message }) => [
          fields.includes(field) ? field : "other",
          texts[`${field}:${code}`] ?? message,
        ]),
    ),
    syntax: syntaxFaultOf(cause),
    condition: cause.faults.filter(isInCondition),
  }
}

/** The first syntax fault in a refusal, if there is one. */
export function syntaxFaultOf(cause: unknown): SyntaxFault | null {
  if (!(cause instanceof ApiError)) return null
  const { field, line, column } = cause.details
  if (
    (field !== "subject" && field !== "body" && field !== "text") ||
    typeof line !== "number" ||
    typeof column !== "number"
  )
    return null
  const message = cause.faults[0]?.message ?? cause.message
  return { field, line, column, message: message.replace(/^Line \d+, column \d+: /, "") }
}

/** Whether a part that is loaded on demand could not be fetched; browsers have different messages for this. */
export const isLoadFailure = (cause: unknown): boolean =>
  cause instanceof TypeError && /dynamically imported module|importing a module script/i.test(cause.message)

/** A failure in one line, where there is no field to show it at. */
export function reasonOf(cause: unknown): string {
  if (isLoadFailure(cause)) return "A part of this page was not loaded: the server does not answer, or was updated."
  if (!(cause instanceof Error)) return String(cause)
  return cause instanceof ApiError && cause.suggestion !== "" ? `${cause.message} ${cause.suggestion}` : cause.message
}

/** Why an address was refused, to be shown at its field. */
export const addressFaultOf = (cause: unknown): string =>
  cause instanceof ApiError && cause.faults.some(({ field }) => field === "email")
    ? "This is not an email address."
    : reasonOf(cause)

/** The text at the only field of a form: its fault, or the reason of the failure. */
export const faultOf = (cause: unknown, field: string): string =>
  (cause instanceof ApiError && cause.faults.find((fault) => fault.field === field)?.message) || reasonOf(cause)
