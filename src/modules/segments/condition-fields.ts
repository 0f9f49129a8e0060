import type { ConditionJson } from "../../conditions/index.ts"

/** The fields that a stored condition names, as it names them: `data.plan`, `event.buy`, `segment.<id>`. */
export function fieldsIn(condition: ConditionJson): ReadonlySet<string> {
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

const ofSegments = "segment."

/** The ids of the segments that a stored condition names. */
export const segmentsIn = (condition: ConditionJson): ReadonlySet<string> =>
  new Set(
    [...fieldsIn(condition)]
      .filter((field) => field.startsWith(ofSegments))
      .map((field) => field.slice(ofSegments.length).toLowerCase()),
  )

/**
 * Whether a stored condition names a field or something inside its value. Only custom fields have an inside: `email.opened`
 * is about mail, not about the address.
 */
export function namesField(condition: ConditionJson, field: string): boolean {
  const named = fieldsIn(condition)
  return named.has(field) || (field.startsWith("data.") && [...named].some((one) => one.startsWith(`${field}.`)))
}

/** Whether a stored condition is about an event, whose name is all that stands behind the dot. */
export const namesEvent = (condition: ConditionJson, name: string): boolean => fieldsIn(condition).has(`event.${name}`)
