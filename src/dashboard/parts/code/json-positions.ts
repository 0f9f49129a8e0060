/** A stretch of a JSON text, as offsets. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

export type JsonReading =
  | {
      readonly value: unknown
      /** Where a value stands, by its dotted path; `""` is the whole. For a missing one, the object it is missing in. */
      placeOf(path: string): Stretch
    }
  | { readonly fault: Stretch & { readonly message: string } }

/** Reads a JSON text and remembers where everything in it stands, so that faults can be shown at their place. */
export function readPlaces(text: string): JsonReading {
  const places = new Map<string, Stretch>()
  let at = 0

  const fail = (message: string): never => {
    throw new Wrong(message, at)
  }
  const blank = () => {
    while (/[ \t\r\n]/.test(text.charAt(at))) at++
  }
  const take = (sign: string, wanted: string) => {
    blank()
    if (text.charAt(at) !== sign)
      fail(at >= text.length ? `The text ends where ${wanted} should follow.` : `Here should be ${wanted}.`)
    at++
  }
  const next = (): string => {
    blank()
    return text.charAt(at)
  }

  function value(path: string): unknown {
    blank()
    const from = at
    const read = piece(path)
    places.set(path, { from, to: at })
    return read
  }

  function piece(path: string): unknown {
    switch (text.charAt(at)) {
      case "{":
        return object(path)
      case "[":
        return list(path)
      case '"':
        return string()
      default:
        return word()
    }
  }

  function object(path: string): Record<string, unknown> {
    const entries: [string, unknown][] = []
    at++
    while (next() !== "}") {
      if (entries.length > 0) {
        take(",", "a comma or }")
        if (next() === "}") fail("There is a comma too many before }.")
      }
      if (text.charAt(at) !== '"') fail("Here should be a key in double quotes.")
      const key = string()
      take(":", "a colon")
      entries.push([key, value(within(path, key))])
    }
    at++
    return Object.fromEntries(entries)
  }

  function list(path: string): unknown[] {
    const items: unknown[] = []
    at++
    while (next() !== "]") {
      if (items.length > 0) {
        take(",", "a comma or ]")
        if (next() === "]") fail("There is a comma too many before ].")
      }
      items.push(value(within(path, String(items.length))))
    }
    at++
    return items
  }

  function string(): string {
    const raw = /"(?:[^"\\\n]|\\.)*"/y
    raw.lastIndex = at
    const found = raw.exec(text)?.[0]
    return (parsed(found, "This text has no end, or something in it that JSON does not know.") ?? "") as string
  }

  function word(): unknown {
    const raw = /[^\s,:{}[\]"]+/y
    raw.lastIndex = at
    const found = raw.exec(text)?.[0]
    if (found === undefined) return fail(at >= text.length ? "The text ends too early." : "Here should be a value.")
    return parsed(found, "Texts stand in double quotes.")
  }

  function parsed(found: string | undefined, message: string): unknown {
    try {
      const read: unknown = JSON.parse(found ?? "")
      at += found?.length ?? 0
      return read
    } catch {
      return fail(message)
    }
  }

  try {
    const read = value("")
    if (next() !== "") fail("Nothing may follow.")
    return { value: read, placeOf: (path) => nearest(places, path) }
  } catch (cause) {
    if (!(cause instanceof Wrong)) throw cause
    const from = Math.min(cause.at, text.length)
    const length = /^[^\s,:{}[\]]+/.exec(text.slice(from))?.[0].length ?? 1
    return { fault: { from, to: Math.min(from + length, text.length), message: cause.message } }
  }
}

class Wrong extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message)
  }
}

const within = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`)

function nearest(places: ReadonlyMap<string, Stretch>, path: string): Stretch {
  const found = places.get(path)
  if (found || path === "") return found ?? { from: 0, to: 0 }
  const dot = path.lastIndexOf(".")
  return nearest(places, dot < 0 ? "" : path.slice(0, dot))
}
