import { malformed } from "../kernel/errors.ts"

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false })

/** The value of JSON in UTF-8; `{}` for white space only. Throws `malformed` for invalid JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return {}
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw malformed("The body is not valid UTF-8.")
  }
  if (text.trim() === "") return {}
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw malformed(`The body is not valid JSON: ${cause instanceof Error ? cause.message : "it cannot be parsed"}.`)
  }
}
