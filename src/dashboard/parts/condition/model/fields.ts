/** The kinds of fields (contract B2.2); each has its own operators. */
export type FieldKind = "email" | "subscribed" | "time" | "data" | "event" | "activity" | "segment"

interface FieldRef {
  readonly kind: FieldKind
  /** The path, the event, the activity as `opened`, the id of the segment; else the field itself. */
  readonly name: string
}

export const activities = ["sent", "delivered", "opened", "clicked", "bounced", "complained"] as const
type Activity = (typeof activities)[number]

/** The other names of activities (contract B2.2.11). */
const aliases: Readonly<Record<string, Activity>> = {
  delivery: "delivered",
  open: "opened",
  click: "clicked",
  bounce: "bounced",
  complaint: "complained",
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Parses the field of a filter; null if it is unknown. */
export function fieldRef(field: string): FieldRef | null {
  if (field === "email" || field === "subscribed") return { kind: field, name: field }
  if (field === "createdAt" || field === "updatedAt") return { kind: "time", name: field }
  const dot = field.indexOf(".")
  const name = field.slice(dot + 1)
  switch (dot < 0 ? "" : field.slice(0, dot)) {
    case "data":
      return name.split(".").every((part) => part !== "") ? { kind: "data", name } : null
    case "event":
      return name === "" ? null : { kind: "event", name }
    case "email": {
      const activity = activities.find((known) => known === name) ?? (Object.hasOwn(aliases, name) && aliases[name])
      return activity ? { kind: "activity", name: activity } : null
    }
    case "segment":
      return uuid.test(name) ? { kind: "segment", name } : null
    default:
      return null
  }
}
