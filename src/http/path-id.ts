import { notFound } from "../kernel/errors.ts"
import { parseId } from "../kernel/ids.ts"

/** The canonical form of an id in a path; a malformed one is 404 (contract A1.1.2). */
export function pathId(resource: string, given: string): string {
  const id = parseId(given)
  if (id === undefined) throw notFound(resource, given)
  return id
}
