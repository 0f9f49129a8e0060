import type { Data } from "../../api/types.ts"

/** The object of a JSON text; empty for an empty text, null for anything else. */
export function dataIn(text: string): Data | null {
  if (text.trim() === "") return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Data) : null
  } catch {
    return null
  }
}
