import { yieldToEventLoop } from "../kernel/event-loop.ts"

const [quote, comma, colon, backslash, bracket, brace] = [34, 44, 58, 92, 91, 123]

/** The number of bytes outside of strings, and of string ends, that are examined between two checks of the time. */
const stepSize = 65_536
const sliceMs = 5

export interface ValueLimits {
  readonly values: number
  /** Names of fields included; they cost more than other values. */
  readonly texts: number
  /** Field names in addition to one for each list and object, which deep nesting has. */
  readonly names: number
}

/**
 * Whether JSON has at most this many values, strings and names: their number, more than its length, determines how long
 * parsing and validation take. Strings are skipped, and other requests are answered meanwhile. For invalid JSON the
 * result is arbitrary.
 */
export async function isWithin(limits: ValueLimits, json: Uint8Array): Promise<boolean> {
  const { length } = json
  let began = performance.now()
  let isText = false
  let [values, texts, names] = [1, 0, 0]
  for (let at = 0; at < length; ) {
    const end = Math.min(length, at + stepSize)
    for (let steps = 0; at < length && (isText ? steps < stepSize : at < end); steps++) {
      if (isText) {
        const found = json.indexOf(quote, at)
        if (found < 0) return texts <= limits.texts
        isText = isEscaped(json, found)
        at = found + 1
        continue
      }
      const byte = json[at++]
      if (byte === quote) {
        isText = true
        texts++
      } else if (byte === colon) names++
      else if (byte === comma) values++
      else if (byte === bracket || byte === brace) {
        values++
        names--
      }
    }
    if (values > limits.values || texts > limits.texts || names > limits.names) return false
    if (performance.now() - began > sliceMs) {
      await yieldToEventLoop()
      began = performance.now()
    }
  }
  return true
}

/** Whether an odd number of backslashes precedes it. They are counted without yielding, a millisecond per megabyte. */
function isEscaped(json: Uint8Array, at: number): boolean {
  let before = at
  while (json[before - 1] === backslash) before--
  return (at - before) % 2 === 1
}
