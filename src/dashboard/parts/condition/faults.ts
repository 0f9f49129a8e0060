import type { FieldFault } from "../../api/http.ts"

/** The message of a fault without the path at its start: it is shown beside the field it is about. */
export function formatFault({ field, message }: FieldFault): string {
  const said = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message
  return said.charAt(0).toUpperCase() + said.slice(1)
}
