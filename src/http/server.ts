import { type AnyElysia, Elysia, NotFoundError } from "elysia"
import { DomainError } from "../kernel/errors.ts"
import { lacksParent } from "../store/writer.ts"
import { type Cors, corsHeaders } from "./cors.ts"
import { commonHeaders, type FailureDeps, failureOf } from "./failures.ts"
import { requestIdHeader } from "./request-id.ts"
import { noRoute } from "./request-metrics.ts"
import { beginState, knownState, type RequestState } from "./request-state.ts"

/**
 * The HTTP application without routes: request id, CORS headers and the error envelope. Routes are added by `use`. It
 * looks for the path right after `http://`, because host names may be short.
 */
export function createHttpApp(deps: FailureDeps, cors: Cors) {
  const app = new Elysia({ normalize: false, serve: {}, handler: { standardHostname: false } })
    .onRequest(({ request, set }) => {
      Object.assign(set.headers, commonHeaders(request, deps.ids))
      const crossOrigin = corsHeaders(request, cors)
      Object.assign(set.headers, crossOrigin)
      if (request.url.includes("%") && !isDecodable(request.url)) throw new NotFoundError()
      const isPreflight = request.method === "OPTIONS" && "Access-Control-Allow-Origin" in crossOrigin
      return isPreflight ? new Response(null, { status: 200 }) : undefined
    })
    .onTransform({ as: "global" }, ({ request, path, route, params, set }) =>
      beginState({ request, path, route, params, set }),
    )
    .onError({ as: "global" }, async ({ error, request, set }) => {
      const requestId = String(set.headers[requestIdHeader] ?? deps.ids.next())
      const state = knownState(request)
      const refusal = error instanceof NotFoundError ? unknownRoute(app, request) : await refusalAfter(error, state)
      const cause = refusal ?? error
      const { status, body, headers } = failureOf(
        cause,
        { requestId, method: request.method, route: state?.route ?? noRoute },
        deps,
      )
      // A client that is asked to try again must find its idempotency key free (contract A1.10.4).
      await state?.claim?.fail(status, { keep: status >= 500 && status !== 503 })
      Object.assign(set.headers, headers)
      set.status = status
      return body
    })
  return app
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

/** The refusal of a request that matches no route; the suggestion names the methods that its path accepts. */
function unknownRoute(app: AnyElysia, { method, url }: Request): DomainError {
  const taken = isDecodable(url) ? methodsOf(app, new URL(url).pathname) : []
  const asked = method === "HEAD" ? "GET" : method
  // A path that takes the method has a route, which found nothing of the rest of it.
  const isKnown = taken.length > 0 && !taken.includes(asked)
  const extras = isKnown ? { suggestion: `This path takes ${taken.join(", ")}, not ${asked}.` } : {}
  return new DomainError("not_found", "RESOURCE_NOT_FOUND", "There is nothing at this path.", extras)
}

function methodsOf({ router }: AnyElysia, path: string): string[] {
  // A trailing slash is ignored (contract A1.2.5); a path without parameters is listed in the form it was declared in.
  const other = path.endsWith("/") ? path.slice(0, -1) : `${path}/`
  const listed = [router.static[path], router.static[other]]
  return methods.filter((method) => listed.some((one) => one?.[method] !== undefined) || router.http.find(method, path))
}

/**
 * The refusal of a request whose project was deleted meanwhile, the same as for later requests. Its rows refer to no
 * project, so that nothing is stored.
 */
async function refusalAfter(error: unknown, state: RequestState | undefined): Promise<unknown> {
  if (!lacksParent(error)) return undefined
  try {
    await state?.recheck?.()
    return undefined
  } catch (refusal) {
    return refusal
  }
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
