import type { Claim } from "./idempotency.ts"

/** What the first steps of a request need of the Elysia context. */
export interface Context {
  readonly request: Request
  readonly path: string
  /** The template of the path. */
  readonly route?: string
  readonly params?: { id?: string; projectId?: string }
  readonly set: { headers: Record<string, string | number> }
}

/** The state of a request. */
export interface RequestState extends Context {
  /** The result of the credentials check, which is made once. */
  admitted?: Promise<unknown>
  /** Checks the credentials again. @throws {DomainError} when they are no longer valid */
  recheck?: () => Promise<unknown>
  claim?: Claim | undefined
  /** Who was admitted, for the request log; undefined while nobody is. */
  who?: { readonly projectId: string | null; readonly key: "secret" | "public" | "session" | "none" } | undefined
}

/**
 * Kept beside the Elysia context, not on it: for a hook that passes on its whole context, Elysia must assume that it
 * uses cookies, headers and query too, and parses them for every request.
 */
const states = new WeakMap<Request, RequestState>()

/** The state of a request, begun with the context of whichever hook asks first. */
export function stateOf(context: Context): RequestState {
  const state: RequestState = states.get(context.request) ?? context
  states.set(context.request, state)
  return state
}

/** Begins the state of a request that has a route. */
export function beginState(context: Context): void {
  if (!states.has(context.request)) states.set(context.request, context)
}

/** The state of a request; undefined when it has no route. */
export const knownState = (request: Request): RequestState | undefined => states.get(request)
