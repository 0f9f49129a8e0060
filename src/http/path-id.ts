import { notFound } from "../kernel/errors.ts"
import { parseId } from "../kernel/ids.ts"

/** An id of a path in canonical form; a malformed one is not found: 404 (contract A1.1.2). */
export function pathId(resource: string, given: string): string {
  const id = parseId(given)
  if (id === undefined) throw notFound(resource, given)
  return id
}
