import { parseId } from "../kernel/ids.ts"
import type { Activity, FieldRef } from "./operators.ts"

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

/** Parses the field of a filter (contract B2.2); undefined when there is no such field. */
export function parseField(field: string): FieldRef | undefined {
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
      // As it is stored: UTF-8 has no unpaired surrogates.
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
