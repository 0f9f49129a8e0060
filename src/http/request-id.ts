import type { Ids } from "../kernel/ids.ts"

export const requestIdHeader = "X-Request-ID"

const form = /^[A-Za-z0-9._~:@/+=-]{1,200}$/

/** The id of a request: the one it was sent with, if it is valid, or a new one (contract A1.3). */
export function requestIdOf(request: Request, ids: Ids): string {
  const given = request.headers.get(requestIdHeader)
  return given !== null && form.test(given) ? given : ids.next()
}
