import { commonHeaders, type FailureDeps, failureOf } from "./failures.ts"
import { requireHost } from "./host.ts"
import { requestIdHeader } from "./request-id.ts"

type Answer = (request: Request, address?: string) => Promise<Response>

export interface HandlerDeps extends FailureDeps {
  /** Throws for what is not to reach the routes. */
  readonly guard?: (request: Request) => void
}

/**
 * What the server calls for every request. Never rejects: what is thrown here or behind, of whatever kind, is answered with
 * the envelope.
 */
export const createHandler =
  (answer: Answer, { guard, ...deps }: HandlerDeps): Answer =>
  async (request, address) => {
    try {
      requireHost(request)
      guard?.(request)
      return await answer(request, address)
    } catch (cause) {
      const common = commonHeaders(request, deps.ids)
      const about = { method: request.method, path: request.url, requestId: common[requestIdHeader] ?? "" }
      const { status, body, headers } = failureOf(cause, about, deps)
      return Response.json(body, { status, headers: { ...common, ...headers } })
    }
  }
