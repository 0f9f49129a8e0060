import { compileParsed, type ParsedSource, parseSource } from "./compile-source.ts"
import { TemplateFault } from "./faults.ts"
import { createFormats, type Formats } from "./formats.ts"
import { defaultLimits, finish, type Limits, startRun } from "./run.ts"
import type { Usage } from "./usage.ts"
import { escapeHtml, verbatim } from "./values.ts"

/** Values are escaped in `html`; a `subject` is one line of plain text, a `text` any lines (contract A3.2). */
export type TemplateKind = "subject" | "html" | "text"

interface RenderOptions {
  /** One of the languages of contract A7.5, as returned by `pickLocale`. */
  readonly locale: string
  readonly limits?: Partial<Limits>
}

export interface Template {
  readonly kind: TemplateKind
  readonly variables: Usage
  /** The approximate size of the compiled template in memory, in bytes. */
  readonly weight: number
  /** Whether the source refers to this variable, or may do so. */
  uses(variable: string): boolean
  /**
   * The same variables and options give the same text. Variables are JSON values; only their own properties are read,
   * and nothing in them is called.
   * @throws {RenderFault} beyond the limits of time or size
   */
  render(variables: Record<string, unknown>, options: RenderOptions): string
}

/** The longest source, in code points (contract A9, row 15). */
export const maxSourceLength = 2_000_000
const maxSubjectLength = 998
/** The measured size of a compiled tag with the text before it. */
const bytesPerTag = 700

/** @throws {TemplateFault} the first fault of the source */
export function compileTemplate(source: string, kind: TemplateKind, formats: Formats = createFormats()): Template {
  return templateOf(parseTemplate(source), source, kind, formats)
}

/** @throws {TemplateFault} */
export function parseTemplate(source: string): ParsedSource {
  const fault = sizeFault(source)
  if (fault) throw fault
  return parseSource(source)
}

/** @throws {TemplateFault} */
export function templateOf(parsed: ParsedSource, source: string, kind: TemplateKind, formats: Formats): Template {
  const { write, usage, tags } = compileParsed(parsed, source, kind === "html" ? escapeHtml : verbatim)
  return {
    kind,
    variables: usage,
    weight: source.length * 2 + tags * bytesPerTag,
    uses: (variable) => usage.dynamic || usage.roots.has(variable),
    render(variables, { locale, limits }) {
      const run = startRun(variables, locale, formats, { ...defaultLimits, ...limits })
      write({ value: variables, up: undefined, loop: undefined }, run)
      const text = finish(run)
      return kind === "subject" ? oneLine(text) : text
    },
  }
}

/** What is wrong with a source over the limit; `what` begins the sentence. */
export function sizeFault(source: string, what = "A template"): TemplateFault | undefined {
  const isWithin =
    source.length <= maxSourceLength || (source.length <= maxSourceLength * 2 && codePoints(source) <= maxSourceLength)
  return isWithin ? undefined : new TemplateFault(`${what} can hold ${maxSourceLength} characters.`, "", 0, true)
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach a header
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g

/** Line breaks as single spaces, no other control characters, trimmed, cut to the length of a subject (contract A3.2). */
export function oneLine(text: string): string {
  const line = text
    .replace(/[\r\n]+/g, " ")
    .replace(controls, "")
    .trim()
  return line.length <= maxSubjectLength
    ? line
    : Array.from(line.slice(0, maxSubjectLength * 2))
        .slice(0, maxSubjectLength)
        .join("")
}
