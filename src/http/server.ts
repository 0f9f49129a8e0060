import { Elysia, NotFoundError } from "elysia"
import { type Cors, corsHeaders } from "./cors.ts"
import { commonHeaders, type FailureDeps, failureOf } from "./failures.ts"
import { claimOf } from "./protect.ts"
import { requestIdHeader } from "./request-id.ts"

/**
 * The HTTP application without routes: request id, CORS headers and the error envelope. Routes are added by `use`. It looks
 * for the path right behind `http://`, because a host may have a short name.
 */
export function createHttpApp(deps: FailureDeps, cors: Cors) {
  return new Elysia({ normalize: false, serve: {}, handler: { standardHostname: false } })
    .onRequest(({ request, set }) => {
      Object.assign(set.headers, commonHeaders(request, deps.ids))
      const crossOrigin = corsHeaders(request, cors)
      Object.assign(set.headers, crossOrigin)
      if (request.url.includes("%") && !isDecodable(request.url)) throw new NotFoundError()
      const isPreflight = request.method === "OPTIONS" && "Access-Control-Allow-Origin" in crossOrigin
      return isPreflight ? new Response(null, { status: 200 }) : undefined
    })
    .onError({ as: "global" }, async (context) => {
      const { error, path, request, set } = context
      const requestId = String(set.headers[requestIdHeader] ?? deps.ids.next())
      const { status, body, headers } = failureOf(error, { requestId, method: request.method, path }, deps)
      // Whom we ask to try again must find the idempotency key free.
      await claimOf(context)?.fail(status, { keep: status >= 500 && !("Retry-After" in headers) })
      Object.assign(set.headers, headers)
      set.status = status
      return body
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
