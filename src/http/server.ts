import { Elysia, NotFoundError } from "elysia"
import type { Clock } from "../kernel/clock.ts"
import type { Ids } from "../kernel/ids.ts"
import type { Log } from "../kernel/log.ts"
import { type Cors, corsHeaders } from "./cors.ts"
import { answerTo } from "./envelope.ts"
import { claimOf } from "./protect.ts"
import { RateLimited } from "./rate-limit.ts"
import { requestIdHeader, requestIdOf } from "./request-id.ts"

/**
 * The HTTP application without routes: request id, CORS headers and the error envelope. Routes are added by `use`.
 */
export function createHttpApp({ clock, ids, log }: { clock: Clock; ids: Ids; log: Log }, cors: Cors) {
  return new Elysia({ normalize: false, serve: {} })
    .onRequest(({ request, set }) => {
      set.headers[requestIdHeader] = requestIdOf(request, ids)
      const crossOrigin = corsHeaders(request, cors)
      Object.assign(set.headers, crossOrigin)
      if (request.url.includes("%") && !isDecodable(request.url)) throw new NotFoundError()
      const isPreflight = request.method === "OPTIONS" && "Access-Control-Allow-Origin" in crossOrigin
      return isPreflight ? new Response(null, { status: 200 }) : undefined
    })
    .onError({ as: "global" }, async (context) => {
      const { error, request, set } = context
      const requestId = String(set.headers[requestIdHeader] ?? ids.next())
      const answer = answerTo(error, { requestId, method: request.method, now: clock.now() })
      if (answer.unexpected)
        log.error("A request failed", { requestId, path: context.path, reason: String(error), stack: stackOf(error) })
      await claimOf(context)?.fail(answer.status)
      const rateHeaders = rateHeadersOf(error)
      Object.assign(set.headers, rateHeaders, answer.headers)
      set.status = answer.status
      return answer.body
    })
}

/** Whether the path can be read: one with broken percent encoding names nothing. */
function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split("?", 1)[0] ?? "")
    return true
  } catch {
    return false
  }
}

function rateHeadersOf(error: unknown): Record<string, string> {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof RateLimited ? cause.headers : {}
}

const stackOf = (error: unknown): string | undefined => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.stack : undefined
}
