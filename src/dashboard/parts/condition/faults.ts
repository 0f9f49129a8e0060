import type { FieldFault } from "../../api/http.ts"

/** What a fault says, without the path that its message begins with: where it is said tells the place. */
export function formatFault({ field, message }: FieldFault): string {
  const said = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message
  return said.charAt(0).toUpperCase() + said.slice(1)
}
