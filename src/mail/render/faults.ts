import { DomainError, type Fault, fault, invalid } from "../../kernel/errors.ts"

/** The position of a fault in a template's source, 1-based; columns count code points (contract A3.5). */
interface Position {
  readonly line: number
  readonly column: number
}

/** An invalid template: bad syntax, an unknown helper, or too long (`tooBig`). */
export class TemplateFault extends Error implements Position {
  readonly line: number
  readonly column: number

  constructor(
    message: string,
    source: string,
    /** Code units from the start of the source. */
    readonly offset: number,
    readonly tooBig = false,
  ) {
    super(message)
    this.name = "TemplateFault"
    const { line, column } = positionOf(source, offset)
    this.line = line
    this.column = column
  }
}

const renderFaults = {
  time: "The template takes too long to render.",
  size: "The rendered text is too large.",
  allowance: "The template takes long to render, and the project has used up its time for slow templates.",
} as const

/**
 * A rendering that was stopped because it took too long or grew too large (contract A9, row 16), or because its project has
 * rendered slowly too much lately: `allowance`, which passes (contract A3.6).
 */
export class RenderFault extends Error {
  constructor(
    readonly exceeded: keyof typeof renderFaults,
    /** Until the project has its whole allowance again; as a rule when left out. */
    readonly fullInMs = 5_000,
  ) {
    super(renderFaults[exceeded])
    this.name = "RenderFault"
  }
}

export type TemplateField = "subject" | "body" | "text"

const item = (field: TemplateField, found: TemplateFault): Fault =>
  found.tooBig
    ? fault(field, "too_big", found.message)
    : fault(field, "custom", `Line ${found.line}, column ${found.column}: ${found.message}`)

/** The refusal of content with faulty templates: one item for each, details of the first (contract A3.5). */
export function templatesError(
  first: readonly [TemplateField, TemplateFault],
  ...rest: readonly (readonly [TemplateField, TemplateFault])[]
): DomainError {
  const errors = [first, ...rest].map(([field, found]) => item(field, found))
  const [field, { line, column, tooBig }] = first
  return tooBig ? invalid(errors) : invalid(errors, { details: { field, line, column } })
}

export const templateError = (field: TemplateField, found: TemplateFault): DomainError => templatesError([field, found])

/** The refusal of a request whose content cannot be rendered within the limits (contract A3.5, A3.6). */
export const renderError = (field: TemplateField, found: RenderFault): DomainError =>
  Object.assign(
    found.exceeded === "allowance" ? tooSlowForNow(found) : invalid([fault(field, "custom", found.message)]),
    {
      cause: found,
    },
  )

/** The refusal of a request that may be repeated, for the allowance of its project (contract A3.6). */
export function tooSlowForNow({ message, fullInMs }: RenderFault = new RenderFault("allowance")): DomainError {
  const retryAfter = Math.max(1, Math.ceil(fullInMs / 1_000))
  return new DomainError("too_many", "RATE_LIMIT_EXCEEDED", message, {
    details: { retryAfter },
    suggestion: `Send the request again in ${retryAfter} seconds, or make the template simpler.`,
  })
}

const renderFaultOf = (cause: unknown): RenderFault | undefined => {
  const found = cause instanceof DomainError ? cause.cause : cause
  return found instanceof RenderFault ? found : undefined
}

/** Whether rendering took too long: for itself, or for the allowance of its project. */
export const ranOutOfTime = (cause: unknown): boolean => (renderFaultOf(cause)?.exceeded ?? "size") !== "size"

/** Whether rendering was stopped for the allowance of its project, so that it may succeed later (contract A3.6). */
export const isShortOfTime = (cause: unknown): boolean => renderFaultOf(cause)?.exceeded === "allowance"

/** Compiles or renders a field, and refuses the request when that fails. */
export function rendering<T>(field: TemplateField, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (cause instanceof TemplateFault) throw templateError(field, cause)
    if (cause instanceof RenderFault) throw renderError(field, cause)
    throw cause
  }
}

const lineBreak = /\r\n?|\n/g

function positionOf(source: string, offset: number): Position {
  const lines = source.slice(0, offset).split(lineBreak)
  return { line: lines.length, column: [...(lines.at(-1) ?? "")].length + 1 }
}

/** The offset of a position that the parser gives by line (1-based) and column (0-based, code units). */
export function offsetOf(source: string, line: number, column: number): number {
  const breaks = source.matchAll(lineBreak)
  let start = 0
  for (let seen = 1; seen < line; seen++) {
    const next = breaks.next()
    if (next.done) break
    start = next.value.index + next.value[0].length
  }
  return Math.min(start + column, source.length)
}
