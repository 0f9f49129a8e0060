import { ApiError, type FieldFault } from "../../api/http.ts"
import { reasonOf } from "../../ui/format.ts"

/** Why a segment was not saved. */
export interface Refusal {
  readonly name?: string
  readonly description?: string
  /** Of the condition, at their paths (contract B2.5). */
  readonly condition: readonly FieldFault[]
  readonly other?: string
}

export const noRefusal: Refusal = { condition: [] }

export function refusalOf(cause: unknown): Refusal {
  if (!(cause instanceof ApiError)) return { condition: [], other: reasonOf(cause) }
  const faultAt = (field: string) => cause.faults.find((fault) => fault.field === field)
  const condition = cause.faults.filter(({ field }) => field === "condition" || field.startsWith("condition."))
  const name = faultAt("name")
  const description = faultAt("description")
  const isPlaced = condition.length > 0 || name || description
  return {
    condition,
    ...(name ? { name: name.code === "too_big" ? "At most 100 characters." : "A segment needs a name." } : {}),
    ...(description ? { description: "At most 500 characters." } : {}),
    ...(isPlaced ? {} : { other: cause.message }),
  }
}

/** What a fault says, without the path that its message begins with: where it is said tells the place. */
export function sayFault({ field, message }: FieldFault): string {
  const said = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message
  return said.charAt(0).toUpperCase() + said.slice(1)
}
