import type { ConditionJson } from "../../conditions/index.ts"
import type { ReferenceTarget } from "../../references.ts"

/** The fields that a stored condition names, as it names them: `data.plan`, `event.buy`, `segment.<id>`. */
function fieldsIn(condition: ConditionJson): ReadonlySet<string> {
  const fields = new Set<string>()
  const collect = ({ groups }: ConditionJson): void => {
    for (const { filters, conditions } of groups) {
      for (const { field } of filters) fields.add(field)
      if (conditions) collect(conditions)
    }
  }
  collect(condition)
  return fields
}

const segmentPrefix = "segment."

/** The ids of the segments that a stored condition names. */
export const segmentsIn = (condition: ConditionJson): ReadonlySet<string> =>
  new Set(
    [...fieldsIn(condition)]
      .filter((field) => field.startsWith(segmentPrefix))
      .map((field) => field.slice(segmentPrefix.length).toLowerCase()),
  )

/**
 * Whether a stored condition names a field or something inside its value. Only custom fields have an inside:
 * `email.opened` is about mail, not about the address.
 */
function namesField(condition: ConditionJson, field: string): boolean {
  const named = fieldsIn(condition)
  return named.has(field) || (field.startsWith("data.") && [...named].some((one) => one.startsWith(`${field}.`)))
}

/** Whether a stored condition names the target: false for kinds that conditions cannot name. */
export function namesTarget(condition: ConditionJson, { kind, key }: ReferenceTarget): boolean {
  switch (kind) {
    case "field":
      return namesField(condition, key)
    case "event":
      // The name is everything after the first dot, dots included.
      return fieldsIn(condition).has(`event.${key}`)
    case "segment":
      return segmentsIn(condition).has(key)
    case "template":
    case "domain":
      return false
  }
}
