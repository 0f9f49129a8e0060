import { commonHeaders, type FailureDeps, failureOf } from "./failures.ts"
import { requireHost } from "./host.ts"
import { requestIdHeader } from "./request-id.ts"
import { noRoute } from "./request-metrics.ts"

type Answer = (request: Request, address?: string) => Promise<Response>

interface HandlerDeps extends FailureDeps {
  /** The headers by which pages of other sites may read the answer. */
  readonly crossOrigin: (request: Request) => Record<string, string>
  /** Throws for requests that must not reach the routes. */
  readonly guard?: (request: Request) => void
  /** Called with each request that did not reach the routes. */
  readonly refused?: (request: Request, status: number, requestId: string) => void
}

/** The handler of every request. Never rejects: anything thrown is answered with the error envelope. */
export const createHandler =
  (answer: Answer, { guard, refused, ...deps }: HandlerDeps): Answer =>
  async (request, address) => {
    try {
      requireHost(request)
      guard?.(request)
      return await answer(request, address)
    } catch (cause) {
      const common = { ...commonHeaders(request, deps.ids), ...deps.crossOrigin(request) }
      const about = { method: request.method, route: noRoute, requestId: common[requestIdHeader] ?? "" }
      const { status, body, headers } = failureOf(cause, about, deps)
      refused?.(request, status, about.requestId)
      return Response.json(body, { status, headers: { ...common, ...headers } })
    }
  }
