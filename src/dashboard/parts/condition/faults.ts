import type { FieldFault } from "../../api/http.ts"

/** The message of a fault without its path, because it is shown at the field. */
export function formatFault({ field, message }: FieldFault): string {
  const said = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message
  return said.charAt(0).toUpperCase() + said.slice(1)
}
