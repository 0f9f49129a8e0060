import { invalid, malformed } from "../kernel/errors.ts"
import { isObject, jsonType } from "../kernel/json.ts"

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false })

/** The JSON object of a body with this content type (contract A1.2); an empty body is `{}`. */
export function jsonObjectIn(bytes: Uint8Array, type: string | null): Record<string, unknown> {
  const isJson = type === null || type.split(";", 1)[0]?.trim().toLowerCase() === "application/json"
  // Some clients send a content type without a body.
  if (!isJson && bytes.length > 0) throw malformed("The body must be JSON: send Content-Type: application/json.")
  const value = parse(bytes)
  if (isObject(value)) return value
  throw invalid([
    { field: "", code: "invalid_type", message: "The body must be a JSON object.", received: jsonType(value) },
  ])
}

function parse(bytes: Uint8Array): unknown {
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
