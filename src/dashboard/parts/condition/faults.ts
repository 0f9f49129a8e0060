import type { FieldFault } from "../../api/http.ts"

/** The message of a fault without its path, because it is shown at the field. */
export function formatFault({ field, message }: FieldFault): string {
  const text = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message
  return text.charAt(0).toUpperCase() + text.slice(1)
}
