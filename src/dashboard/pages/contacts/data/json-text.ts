import type { Data } from "../../../wire.ts"
import { keyFault } from "./draft.ts"

export type JsonReading = { readonly data: Data } | { readonly fault: string }

export const writeJson = (data: Data): string => JSON.stringify(data, null, 2)

/** Reads what was typed as the data of a contact: an object without reserved keys. */
export function readJson(text: string): JsonReading {
  let value: unknown
  try {
    value = text.trim() === "" ? {} : JSON.parse(text)
  } catch (cause) {
    return { fault: sayFault(text, cause) }
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { fault: "The data of a contact is an object: { … }" }
  }
  for (const key of Object.keys(value)) {
    const fault = keyFault(key, [], true)
    if (fault) return { fault }
  }
  // null and "" at the top say that there is no such field (A2.1.2)
  return { data: Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && one !== "")) }
}

/** Browsers name the place in different ways, some as a position; a person looks for a line. */
function sayFault(text: string, cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  const position = /at position (\d+)/.exec(message)?.[1]
  const said = message.replace(/^JSON\.parse: /, "").replace(/,? ?(?:in JSON )?at (?:position|line) .*$/s, "")
  if (position === undefined) return message
  const before = text.slice(0, Number(position))
  const line = before.split("\n").length
  return `Line ${line}, column ${before.length - before.lastIndexOf("\n")}: ${said}`
}
