import { reasonOf } from "../../api/refusal.ts"
import type { Data } from "../../api/types.ts"
import { readPositions } from "../code/json-positions.ts"
import { keyFault } from "./draft.ts"

type JsonReading = { readonly data: Data } | { readonly fault: string }

export const writeJson = (data: Data): string => JSON.stringify(data, null, 2)

/** Parses the typed data of a contact: an object without reserved keys. */
export function readJson(text: string): JsonReading {
  let value: unknown
  try {
    value = text.trim() === "" ? {} : JSON.parse(text)
  } catch (cause) {
    return { fault: formatFault(text, cause) }
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { fault: "The data of a contact is an object: { … }" }
  }
  for (const key of Object.keys(value)) {
    const fault = keyFault(key, [], true)
    if (fault) return { fault }
  }
  // null and "" at the top level mean that there is no such field (contract A2.1.2)
  return { data: Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && one !== "")) }
}

/** Adds line and column, which the messages of browsers often lack. */
function formatFault(text: string, cause: unknown): string {
  const reading = readPositions(text)
  if (!("fault" in reading)) return reasonOf(cause)
  const { from, message } = reading.fault
  const before = text.slice(0, from)
  return `Line ${before.split("\n").length}, column ${before.length - before.lastIndexOf("\n")}: ${message}`
}
