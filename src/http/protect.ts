import { Elysia } from "elysia"
import type { Authenticator, Caller, KeyKind, MemberRule, UserRule } from "./auth.ts"
import { type Bodies, maxBodyBytes } from "./body.ts"
import { type FormLimit, readForm } from "./form.ts"
import type { Claim, Idempotency } from "./idempotency.ts"
import { jsonObjectIn } from "./json-body.ts"
import { isLocal } from "./local.ts"
import { queryOf } from "./page.ts"
import type { Permission } from "./permissions.ts"
import type { RateLimit } from "./rate-limit.ts"

export interface ProtectDeps {
  readonly auth: Authenticator
  readonly rateLimit: RateLimit
  readonly idempotency: Idempotency
  readonly bodies: Bodies
  /** The address of the peer that a request came from, if it is known. */
  readonly addressOf: (request: Request) => string | undefined
}

export interface ProtectRule {
  /** `secret` and `public` take that key only; `member` a secret key or a session with its project. */
  readonly accept: KeyKind | "member"
  /** What `member` must be allowed to do (contract B8.4); `project.use` when absent. */
  readonly permission?: Permission
  /** Whether `Idempotency-Key` counts here. */
  readonly idempotent?: boolean
  /** The largest JSON body in bytes; 50 MB when absent (contract A1.2.4). */
  readonly bodyLimit?: number
  /** The body is a multipart form, to be had with `fileIn`, instead of JSON. */
  readonly form?: FormLimit
}

/** Sign-in, accounts and settings: the largest of these requests has a few hundred bytes. */
const accountBodyLimit = 65_536

/** What is known of a request whose credentials were checked; kept on the Elysia context. */
interface RequestState {
  request: Request
  path: string
  params?: { id?: string; projectId?: string }
  set: { headers: Record<string, string | number> }
  /** What the check of the credentials gave, made once. */
  admitted?: Promise<unknown>
  claim?: Claim | undefined
}

/**
 * The first steps of every request, in the order of contract A1.6: credentials, disabled project, rate limit,
 * idempotency key, size, JSON. Elysia runs the parser before anything else on routes with a body and `derive` on all,
 * so whichever comes first checks the request, once.
 */
export function createProtect({ auth, rateLimit, idempotency, bodies, addressOf }: ProtectDeps) {
  /** Checks the request when it is asked for the first time, whoever asks. */
  function once<Seen>(context: unknown, check: (state: RequestState) => Promise<Seen>): Promise<Seen> {
    const state = context as RequestState
    state.admitted ??= check(state)
    return state.admitted as Promise<Seen>
  }

  /** Checks before the body is read, which is then parsed. */
  const parser = (
    check: (state: RequestState) => Promise<unknown>,
    { bodyLimit = maxBodyBytes, form }: Pick<ProtectRule, "bodyLimit" | "form">,
  ) =>
    new Elysia({ normalize: false }).onParse({ as: "scoped" }, async (context) => {
      await once(context, check)
      const { request } = context
      if (form) return readForm(bodies, request, form)
      return jsonObjectIn(await bodies.read(request, bodyLimit), request.headers.get("content-type"))
    })
  const accountParser = (check: (state: RequestState) => Promise<unknown>) =>
    parser(check, { bodyLimit: accountBodyLimit })

  async function admit(state: RequestState, { accept, permission = "project.use", idempotent }: ProtectRule) {
    const { request, set } = state
    const caller: Caller =
      accept === "member" ? await auth.byKeyOrSession(request, permission) : await auth.byKey(request, accept)
    if (caller.role === "KEY")
      Object.assign(set.headers, rateLimit.take(caller.project.id, accept === "public" ? "public" : "secret"))
    if (idempotent) {
      const key = request.headers.get("idempotency-key")
      // A slash at the end is ignored (contract A1.2.5), so it is no part of the name either.
      const path = state.path.replace(/\/$/, "")
      state.claim = await idempotency.claim(caller.project.id, key, `${request.method} ${path}`)
    }
    return { caller, project: caller.project, commit: state.claim?.commit, query: queryOf(request.url) }
  }

  /** Who is on the other end: for what concerns accounts. */
  const peerOf = (request: Request) => {
    const address = addressOf(request)
    return { address: address ?? "unknown", isLocal: isLocal(request, address) }
  }

  /** For the routes used with it: they see `caller`, `project`, `commit` and `query`, and a parsed body. */
  function protect(rule: ProtectRule) {
    const check = (state: RequestState) => admit(state, rule)
    return parser(check, rule).derive({ as: "scoped" }, (context) => once(context, check))
  }

  return Object.assign(protect, {
    /** The bytes of a body of another type than JSON, for routes without a parser. */
    readBody: bodies.read,

    /** No credentials, but not from another site either: the routes see `peer`. */
    anyone() {
      const check = async ({ request }: RequestState) => {
        if (request.method !== "GET") auth.refuseForeign(request)
        return { peer: peerOf(request) }
      }
      return accountParser(check).derive({ as: "scoped" }, (context) => once(context, check))
    },

    /** A session alone: the routes see `user`, `peer` and `query`. */
    user(rule: UserRule = {}) {
      const check = async ({ request }: RequestState) => ({
        user: await auth.bySession(request, rule),
        peer: peerOf(request),
        query: queryOf(request.url),
      })
      return accountParser(check).derive({ as: "scoped" }, (context) => once(context, check))
    },

    /** A session, and the project in the path as `:id`: the routes see it with `user`, `role`, `peer` and `query`. */
    member(rule: MemberRule) {
      const check = async ({ request, params }: RequestState) => ({
        ...(await auth.bySessionIn(request, params?.id ?? "", rule)),
        peer: peerOf(request),
        query: queryOf(request.url),
      })
      return accountParser(check).derive({ as: "scoped" }, (context) => once(context, check))
    },

    /** For what a browser loads by its address, without headers of ours: a session, and the project as `:projectId`. */
    page() {
      const check = async ({ request, params }: RequestState) => {
        const member = () => auth.bySessionIn(request, params?.projectId ?? "", { permission: "project.use" })
        const { project } = await member()
        /** Whether the session and its membership are still there. */
        const mayRead = () =>
          member().then(
            () => true,
            () => false,
          )
        return { project, mayRead }
      }
      return accountParser(check).derive({ as: "scoped" }, (context) => once(context, check))
    },
  })
}

export type Protect = ReturnType<typeof createProtect>

/** The idempotency claim of a request that failed, if it had one. */
export const claimOf = (context: unknown): Claim | undefined => (context as RequestState).claim
