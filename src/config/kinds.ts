/** The value, or what was expected instead. `got` replaces the value in the message. */
export type Reading<T> = { readonly value: T } | { readonly expected: string; readonly got?: string }

/**
 * How a setting is read. Options and the environment give text, the file gives parsed TOML, where a number in quotes is
 * a fault.
 */
export interface Kind<T> {
  read(given: unknown, origin: "text" | "file"): Reading<T>
  /** The given value as shown in messages: never a secret. */
  show(given: unknown): string
}

const longest = 80

export const shown = (given: unknown): string => {
  const text = JSON.stringify(given) ?? String(given)
  return text.length <= longest ? text : `${text.slice(0, longest)}…`
}

/** For addresses: without the user and password that some have before the host, and that we refuse there. */
export const shownAddress = (given: unknown): string =>
  shown(typeof given === "string" ? given.replace(/\/\/.*@/s, "//…@") : given)

const hidden = (): string => "a hidden value"

/** A kind that is text in every source; `parse` returns undefined for invalid text. */
export function textKind<T>(expected: string, parse: (text: string) => T | undefined, show = shown): Kind<T> {
  return {
    read: (given) => {
      const value = typeof given === "string" ? parse(given.trim()) : undefined
      return value === undefined ? { expected } : { value }
    },
    show,
  }
}

const printable = (text: string): string | undefined => (/^[^\p{Cc}]+$/u.test(text) ? text : undefined)

export const text = textKind("text on one line", printable)
export const secret = textKind("text on one line", printable, hidden)
export const file = textKind("the path of a file", printable)
/** An address such as `s3://BUCKET` would become a folder of that name. */
export const folder = textKind("the path of a folder", (given) =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? undefined : printable(given),
)

export const oneOf = <const V extends string>(...values: readonly V[]): Kind<V> =>
  textKind(`one of ${values.join(", ")}`, (given) => values.find((value) => value === given))

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false }

/** As text in any case: Ansible and Python write `True`. */
export const boolean: Kind<boolean> = {
  read: (given, origin) => {
    const value = origin === "text" ? booleans[String(given).trim().toLowerCase()] : given
    return typeof value === "boolean" ? { value } : { expected: "true or false" }
  },
  show: shown,
}

interface Range {
  readonly least: number
  readonly most?: number
  /** Excludes the least value itself. */
  readonly above?: boolean
}

/** With an exponent too: programs write small fractions as `5e-5`, and the file takes it. */
export function number(range: Range, noun = "a number"): Kind<number> {
  return numeric(noun, range, { fits: () => true, written: /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i })
}

export function integer(range: Range, noun = "a whole number"): Kind<number> {
  return numeric(noun, range, { fits: Number.isSafeInteger, written: /^[+-]?\d+(\.\d+)?$/ })
}

/** 0 is valid; each setting documents its meaning. */
export const port = integer({ least: 0, most: 65_535 }, "a port number")

interface Form {
  readonly fits: (value: number) => boolean
  /** As text. */
  readonly written: RegExp
}

function numeric(noun: string, { least, most, above }: Range, { fits, written }: Form): Kind<number> {
  const expected =
    most !== undefined ? `${noun} from ${least} to ${most}` : `${noun}, ${above ? "more than" : "at least"} ${least}`
  return {
    read: (given, origin) => {
      const value = origin === "text" ? numberOf(String(given).trim(), written) : given
      if (typeof value !== "number" || !Number.isFinite(value) || !fits(value)) return { expected }
      const inside = (above ? value > least : value >= least) && value <= (most ?? Number.POSITIVE_INFINITY)
      return inside ? { value } : { expected }
    },
    show: shown,
  }
}

const numberOf = (given: string, written: RegExp): number | undefined =>
  written.test(given) ? Number(given) : undefined

export const spaces = /\s+/
const spacesOrCommas = /[\s,]+/

/** Several values of one kind: an array, in text as in the file, or separated text in any source. May be empty. */
export function listOf<T>(item: Kind<T>, separator: RegExp = spacesOrCommas): Kind<readonly T[]> {
  return {
    read: (given, origin) => {
      const isText = typeof given === "string"
      if (!isText && !Array.isArray(given)) {
        const one = item.read(given, origin)
        return "expected" in one ? one : { expected: "a list" }
      }
      const parts = isText ? (arrayIn(given) ?? given.split(separator).filter((part) => part !== "")) : given
      const values: T[] = []
      for (const part of parts) {
        const reading = item.read(part, isText ? "text" : origin)
        if ("expected" in reading) return { ...reading, got: reading.got ?? item.show(part) }
        values.push(reading.value)
      }
      return { value: values }
    },
    show: (given) => (Array.isArray(given) ? `[${given.map((part) => item.show(part)).join(", ")}]` : item.show(given)),
  }
}

/** The items of text such as `[5, 30, 120]`; `[::1]:53` is not a list. */
function arrayIn(text: string): unknown[] | undefined {
  if (!text.trim().startsWith("[")) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const nonEmpty = <T>(list: Kind<readonly T[]>, expected: string): Kind<readonly T[]> => ({
  ...list,
  read: (given, origin) => {
    const reading = list.read(given, origin)
    return "value" in reading && reading.value.length === 0 ? { expected } : reading
  },
})
