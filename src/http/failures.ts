import type { Clock } from "../kernel/clock.ts"
import type { Ids } from "../kernel/ids.ts"
import { type Log, reasonOf } from "../kernel/log.ts"
import { type Answer, answerTo } from "./envelope.ts"
import { requestIdHeader, requestIdOf } from "./request-id.ts"

export interface FailureDeps {
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/**
 * Headers of every response. Browsers must not guess a type, and caches must not store keys, tokens or personal data;
 * routes whose responses may be cached override this.
 */
export const commonHeaders = (request: Request, ids: Ids): Record<string, string> => ({
  [requestIdHeader]: requestIdOf(request, ids),
  "X-Content-Type-Options": "nosniff",
  "Cache-Control": "no-store",
})

/** The response for any thrown value; a fault of the server is logged, without what the client sent. */
export function failureOf(
  thrown: unknown,
  { method, route, requestId }: { method: string; route: string; requestId: string },
  { clock, log }: FailureDeps,
): Answer {
  const answer = answerTo(thrown, { requestId, method, now: clock.now() })
  if (answer.unexpected)
    log.error("A request failed", { requestId, method, route, reason: reasonOf(thrown), stack: stackOf(thrown) })
  return answer
}

const stackOf = (error: unknown): string | undefined => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.stack : undefined
}
