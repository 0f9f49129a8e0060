import { Elysia } from "elysia"
import { type Clock, isWithin, second } from "../kernel/clock.ts"
import type { Authenticator, Caller, KeyKind, MemberRule, UserRule } from "./auth.ts"
import { type Bodies, maxBodyBytes } from "./body.ts"
import { type FormLimit, readForm } from "./form.ts"
import type { Idempotency } from "./idempotency.ts"
import { createJsonReader, refuseEncoded } from "./json-body.ts"
import { isLocal } from "./local.ts"
import { queryOf } from "./page.ts"
import type { Permission } from "./permissions.ts"
import type { RateLimit } from "./rate-limit.ts"
import { type Context, knownState, type RequestState, stateOf } from "./request-state.ts"

interface ProtectDeps {
  readonly auth: Authenticator
  /** The real one, also where the clock of the records stands still. */
  readonly clock: Clock
  readonly rateLimit: RateLimit
  readonly idempotency: Idempotency
  readonly bodies: Bodies
  /** The address of the client that sent a request, if it is known. */
  readonly addressOf: (request: Request) => string | undefined
  /** Whether the server is stopping. */
  readonly isStopping: () => boolean
}

interface ProtectRule {
  /** `secret` and `public` take that key only; `member` a secret key or a session with its project. */
  readonly accept: KeyKind | "member"
  /** What `member` must be allowed to do (contract B8.4); `project.use` when absent. */
  readonly permission?: Permission
  /** Whether the route accepts `Idempotency-Key`. */
  readonly idempotent?: boolean
  /** The largest JSON body in bytes; 50 MB when absent (contract A1.2.4). */
  readonly bodyLimit?: number
  /** The body is a multipart form instead of JSON; `fileIn` returns its file. */
  readonly form?: FormLimit
}

/** For sign-in, accounts and settings, whose largest requests have a few hundred bytes. */
const accountBodyLimit = 65_536

/** A body that takes longer is followed by another look at the credentials, which may have ended meanwhile. */
const credentialsLastMs = second

/**
 * The first steps of every request, in the order of contract A1.6: credentials, disabled project, rate limit,
 * idempotency key, size, JSON. Elysia runs the parser before anything else on routes with a body and `derive` on all,
 * so the first of them checks the request, once.
 */
export function createProtect({ auth, clock, rateLimit, idempotency, bodies, addressOf, isStopping }: ProtectDeps) {
  const readJson = createJsonReader()

  /** Checks the request on the first call and remembers the result. */
  function once<Seen>(context: Context, check: (state: RequestState) => Promise<Seen>): Promise<Seen> {
    const state = stateOf(context)
    state.admitted ??= check(state)
    return state.admitted as Promise<Seen>
  }

  /**
   * Reads the body. A client may send it over minutes: one whose key or session has ended by then, or who has lost the
   * right, is refused as with its next request.
   */
  async function stillAdmitted<Body>(request: Request, read: () => Promise<Body>): Promise<Body> {
    const began = clock.now()
    const body = await read()
    const state = knownState(request)
    if (state?.recheck === undefined || isWithin(credentialsLastMs, clock.now(), began)) return body
    const { who } = state
    // The request log names nobody whose credentials were refused (contract B10.7).
    state.who = undefined
    await state.recheck()
    state.who = who
    return body
  }

  /** Routes that get the results of the check. The request is checked before its body is read and parsed. */
  const checked = <Seen extends Record<string, unknown>>(
    check: (state: RequestState) => Promise<Seen>,
    { bodyLimit = maxBodyBytes, form }: Pick<ProtectRule, "bodyLimit" | "form">,
  ) =>
    new Elysia({ normalize: false })
      .onParse({ as: "scoped" }, async ({ request, path, route, params, set }) => {
        await once({ request, path, route, params, set }, check)
        if (form) return stillAdmitted(request, () => readForm(bodies, request, form))
        refuseEncoded(request)
        const bytes = await stillAdmitted(request, () => bodies.read(request, bodyLimit))
        return readJson(bytes, request.headers.get("content-type"))
      })
      .derive({ as: "scoped" }, ({ request, path, route, params, set }) =>
        once({ request, path, route, params, set }, check),
      )

  const forAccounts = <Seen extends Record<string, unknown>>(check: (state: RequestState) => Promise<Seen>) =>
    checked(check, { bodyLimit: accountBodyLimit })

  /** Checks the credentials, and keeps the check for a later repetition. */
  function identify<Who>(state: RequestState, look: () => Promise<Who>): Promise<Who> {
    state.recheck = look
    return look()
  }

  async function admit(state: RequestState, { accept, permission = "project.use", idempotent }: ProtectRule) {
    const { request, set } = state
    const caller: Caller = await identify(state, () =>
      accept === "member" ? auth.byKeyOrSession(request, permission) : auth.byKey(request, accept),
    )
    const key = caller.user ? "session" : accept === "public" ? "public" : "secret"
    state.who = { projectId: caller.project.id, key }
    if (caller.role === "KEY")
      Object.assign(set.headers, rateLimit.take(caller.project.id, accept === "public" ? "public" : "secret"))
    if (idempotent) {
      const key = request.headers.get("idempotency-key")
      // A trailing slash is ignored (contract A1.2.5), so it is not part of the name either.
      const path = state.path.replace(/\/$/, "")
      state.claim = await idempotency.claim(caller.project.id, key, `${request.method} ${path}`)
    }
    const { project } = caller
    return { caller, project, commit: state.claim?.commit, query: queryOf(request.url), peer: () => peerOf(request) }
  }

  /** The client of a request, as the audit log names it. */
  const peerOf = (request: Request) => {
    const address = addressOf(request)
    return { address: address ?? "unknown", isLocal: isLocal(request, address) }
  }

  /**
   * The routes used with it get `caller`, `project`, `commit`, `query` and a parsed body, and `peer()`, which is looked
   * at where it is needed.
   */
  function protect(rule: ProtectRule) {
    return checked((state) => admit(state, rule), rule)
  }

  return Object.assign(protect, {
    /** The bytes of a body of another type than JSON, for routes without a parser. */
    readBody: bodies.read,

    /** No credentials, but refuses requests from other sites. The routes get `peer`. */
    anyone() {
      return forAccounts(async ({ request }) => {
        if (request.method !== "GET") auth.refuseForeign(request)
        return { peer: peerOf(request) }
      })
    },

    /** Only a session. The routes get `user`, `peer` and `query`. */
    user(rule: UserRule = {}) {
      return forAccounts(async (state) => {
        const { request } = state
        const user = await identify(state, () => auth.bySession(request, rule))
        state.who = { projectId: null, key: "session" }
        return { user, peer: peerOf(request), query: queryOf(request.url) }
      })
    },

    /**
     * A session, and the project in the path as `:id`. The routes get `project`, `user`, `role`, `peer` and `query`.
     */
    member(rule: MemberRule) {
      return forAccounts(async (state) => {
        const { request, params } = state
        const member = await identify(state, () => auth.bySessionIn(request, params?.id ?? "", rule))
        state.who = { projectId: member.project.id, key: "session" }
        return { ...member, peer: peerOf(request), query: queryOf(request.url) }
      })
    },

    /**
     * For URLs that a browser loads itself, without our headers: a session, and the project in the path as
     * `:projectId`.
     */
    page() {
      return forAccounts(async ({ request, params }) => {
        const member = () => auth.bySessionIn(request, params?.projectId ?? "", { permission: "project.use" })
        const { project } = await member()
        /**
         * Whether the session and its membership still exist; false when the server is stopping, so that it need not
         * wait for readers.
         */
        const mayRead = async () =>
          !isStopping() &&
          member().then(
            () => true,
            () => false,
          )
        return { project, mayRead }
      })
    },
  })
}

export type Protect = ReturnType<typeof createProtect>
