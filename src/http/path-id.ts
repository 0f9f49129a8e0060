import { notFound } from "../kernel/errors.ts"
import { parseId } from "../kernel/ids.ts"

/** An id of a path in canonical form; one that is malformed names nothing, so it is 404 (contract A1.1.2). */
export function pathId(resource: string, given: string): string {
  const id = parseId(given)
  if (id === undefined) throw notFound(resource, given)
  return id
}
