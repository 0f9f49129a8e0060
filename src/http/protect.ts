import { Elysia } from "elysia"
import type { Authenticator, Caller, KeyKind } from "./auth.ts"
import { readJsonObject } from "./body.ts"
import { type FormLimit, readForm } from "./form.ts"
import type { Claim, Idempotency } from "./idempotency.ts"
import { queryOf } from "./page.ts"
import type { RateLimit } from "./rate-limit.ts"

export interface ProtectDeps {
  readonly auth: Authenticator
  readonly rateLimit: RateLimit
  readonly idempotency: Idempotency
}

export interface ProtectRule {
  /** `secret` and `public` take that key only; `member` a secret key or a session with its project. */
  readonly accept: KeyKind | "member"
  /** Whether `Idempotency-Key` counts here. */
  readonly idempotent?: boolean
  /** The body is a multipart form, to be had with `fileIn`, instead of JSON. */
  readonly form?: FormLimit
}

/** What is known of a request whose credentials were checked; kept on the Elysia context. */
interface RequestState {
  request: Request
  path: string
  set: { headers: Record<string, string | number> }
  caller?: Caller
  claim?: Claim | undefined
}

/**
 * The first steps of every request, in the order of contract A1.6: credentials, disabled project, rate limit,
 * idempotency key, size, JSON. Elysia runs the parser before anything else on routes with a body and `derive` on all,
 * so whichever comes first checks the request, once.
 */
export function createProtect({ auth, rateLimit, idempotency }: ProtectDeps) {
  async function admit(state: RequestState, rule: ProtectRule): Promise<Caller> {
    if (state.caller) return state.caller
    const { request, set } = state
    const caller =
      rule.accept === "member" ? await auth.byKeyOrSession(request) : await auth.byKey(request, rule.accept)
    if (caller.role === "KEY") Object.assign(set.headers, rateLimit.take(caller.project.id))
    if (rule.idempotent) {
      const key = request.headers.get("idempotency-key")
      // A slash at the end is ignored (contract A1.2), so it is no part of the name either.
      const path = state.path.replace(/\/$/, "")
      state.claim = await idempotency.claim(caller.project.id, key, `${request.method} ${path}`)
    }
    state.caller = caller
    return caller
  }

  /** For the routes used with it: they see `caller`, `project`, `commit` and `query`, and a parsed body. */
  const protect = (rule: ProtectRule) =>
    new Elysia({ normalize: false })
      .onParse({ as: "scoped" }, async (context) => {
        await admit(context as unknown as RequestState, rule)
        return rule.form ? readForm(context.request, rule.form) : readJsonObject(context.request)
      })
      .derive({ as: "scoped" }, async (context) => {
        const state = context as unknown as RequestState
        const caller = await admit(state, rule)
        const { project } = caller
        return { caller, project, commit: state.claim?.commit, query: queryOf(state.request.url) }
      })

  return Object.assign(protect, {
    /** A session alone: the routes see `userId`. */
    user: () =>
      new Elysia({ normalize: false }).derive({ as: "scoped" }, async ({ request }) => ({
        userId: auth.bySession(request),
      })),

    /**
     * For what a browser loads by its address, without headers of ours: a session, and the project in the path as
     * `:projectId`. The routes see `project`.
     */
    page: () =>
      new Elysia({ normalize: false }).derive({ as: "scoped" }, async ({ request, params }) => {
        const { projectId = "" } = params as { projectId?: string }
        return { project: (await auth.bySessionIn(request, projectId)).project }
      }),
  })
}

export type Protect = ReturnType<typeof createProtect>

/** The idempotency claim of a request that failed, if it had one. */
export const claimOf = (context: unknown): Claim | undefined => (context as RequestState).claim
