import { parseId } from "../kernel/ids.ts"
import type { Activity, Place } from "./operators.ts"

const activityOf: ReadonlyMap<string, Activity> = new Map([
  ["sent", "sent"],
  ["delivered", "delivered"],
  ["delivery", "delivered"],
  ["opened", "opened"],
  ["open", "opened"],
  ["clicked", "clicked"],
  ["click", "clicked"],
  ["bounced", "bounced"],
  ["bounce", "bounced"],
  ["complained", "complained"],
  ["complaint", "complained"],
])

/** Where the field of a filter lies (contract B2.2); undefined for a field of no row. */
export function parseField(field: string): Place | undefined {
  switch (field) {
    case "email":
    case "subscribed":
    case "createdAt":
    case "updatedAt":
      return { of: field }
  }
  const dot = field.indexOf(".")
  const [kind, rest] = [field.slice(0, Math.max(dot, 0)), field.slice(dot + 1)]
  if (rest === "") return undefined
  switch (kind) {
    case "data": {
      const path = rest.split(".")
      return path.includes("") ? undefined : { of: "data", path }
    }
    case "event":
      // As the store keeps it, where half a surrogate pair cannot be.
      return { of: "event", name: rest.toWellFormed() }
    case "email": {
      const activity = activityOf.get(rest)
      return activity && { of: "mail", activity }
    }
    case "segment": {
      const id = parseId(rest)
      return id === undefined ? undefined : { of: "segment", id }
    }
  }
  return undefined
}
