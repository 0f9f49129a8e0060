import { DomainError, type Fault, fault, invalid } from "../../kernel/errors.ts"

/** The position of a fault in a template's source, 1-based; columns count code points (contract A3.5). */
export interface Position {
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

/** A rendering that was stopped because it took too long or grew too large (contract A9, row 16). */
export class RenderFault extends Error {
  constructor(readonly exceeded: "time" | "size") {
    super(exceeded === "time" ? "The template takes too long to render." : "The rendered text is too large.")
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

/** The refusal of a request whose content cannot be rendered within the limits (contract A3.5). */
export const renderError = (field: TemplateField, found: RenderFault): DomainError =>
  Object.assign(invalid([fault(field, "custom", found.message)]), { cause: found })

/** Whether a request was refused because rendering took too long. */
export const ranOutOfTime = (cause: unknown): boolean =>
  cause instanceof DomainError && cause.cause instanceof RenderFault && cause.cause.exceeded === "time"

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

export function positionOf(source: string, offset: number): Position {
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
