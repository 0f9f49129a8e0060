import { type Clock, minute } from "../kernel/clock.ts"
import { DomainError, forbidden, malformed } from "../kernel/errors.ts"
import { parseId } from "../kernel/ids.ts"
import { type Authority, authorize, type Permission, type Role } from "./permissions.ts"
import { readSession, type SessionClaims, type Sessions } from "./session.ts"

/** The project of a request. */
export interface ProjectRef {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly disabled: boolean
  /** Whether the public key may subscribe a contact that is unsubscribed. */
  readonly publicResubscribe: boolean
  /** A line for the footer of marketing mail. */
  readonly postalAddress: string | null
}

export type KeyKind = "secret" | "public"

/** A user who is signed in. */
export interface SignedIn {
  readonly userId: string
  readonly email: string
  /** Whether this is the owner of the instance. */
  readonly isOwner: boolean
  readonly sessionId: string
  /** Whether the address must be confirmed before the account can be used (contract B8.1.3). */
  readonly mustVerify: boolean
  /** When the password was last given in this session; undefined for the owner of the sandbox, who has none. */
  readonly passwordGivenAt: number | undefined
}

/** The stored facts of a session; `member` is the membership in the requested project. */
export interface SessionFacts {
  readonly user: SignedIn
  readonly member: { readonly project: ProjectRef; readonly role: Role } | undefined
}

/** Looks up keys and sessions. */
interface Directory {
  projectOfKey(kind: KeyKind, key: string): Promise<ProjectRef | undefined>
  /** Undefined once the session has ended. */
  session(sessionId: string, projectId: string | null): Promise<SessionFacts | undefined>
  project(id: string): Promise<ProjectRef | undefined>
  ownsDisabled(userId: string): Promise<boolean>
}

/** Who makes a request. Callers with a key are subject to the rate limit. */
export interface Caller {
  readonly project: ProjectRef
  readonly role: Authority
  /** Undefined for keys. */
  readonly user?: SignedIn
}

/** What a session must be permitted to do in the project that it names. */
export interface MemberRule {
  readonly permission: Permission
  /**
   * Who may use the route in a disabled project: nobody when absent, the owner of the instance, or everybody with
   * permission.
   */
  readonly disabled?: "owner" | "anyone"
  /** Whether the owner of the instance is accepted in any role, also without being a member. */
  readonly owner?: boolean
}

/** Whose session is accepted by a route without a project. */
export interface UserRule {
  /** Also accounts whose address is not confirmed. */
  readonly unverified?: boolean
  /** Only the owner of the instance. */
  readonly owner?: boolean
  /** Only whoever owns no disabled project (contract B8.3.3). */
  readonly enabled?: boolean
  /** Only when the password was given within the last ten minutes (contract B8.2.12). */
  readonly password?: boolean
}

interface Member extends Caller {
  readonly user: SignedIn
  readonly role: Role
  /** False for the owner of the instance who is not a member. */
  readonly isMember: boolean
}

export interface Authenticator {
  /** Only a key of this kind: for the `/v1` endpoints. */
  byKey(request: Request, kind: KeyKind): Promise<Caller>
  /** A secret key, or a session with `X-Project-Id` (contract A1.5). */
  byKeyOrSession(request: Request, permission: Permission): Promise<Caller>
  /** Only a session. */
  bySession(request: Request, rule?: UserRule): Promise<SignedIn>
  /** A session, and a project that is not named by `X-Project-Id`. */
  bySessionIn(request: Request, projectId: string, rule: MemberRule): Promise<Member>
  /** Refuses requests that come from another site according to the browser, for routes without a session. */
  refuseForeign(request: Request): void
}

interface AuthDeps {
  directory: Directory
  sessions: Sessions
  clock: Clock
  /** Scheme, host and port that browsers see, for the origin check of state-changing cookie requests. */
  publicOrigin: () => string
}

/** For how long a password that was given allows actions that require one. */
const passwordLastsMs = 10 * minute

const keyForm = /^bearer +([sp]k_\S+)$/i
const safeMethods = ["GET", "HEAD", "OPTIONS"]

export function createAuthenticator({ directory, sessions, clock, publicOrigin }: AuthDeps): Authenticator {
  const changesState = ({ method }: Request) => !safeMethods.includes(method)

  async function byKey(request: Request, kind: KeyKind): Promise<Caller> {
    const key = keyForm.exec(request.headers.get("authorization") ?? "")?.[1]
    const project = key?.startsWith(prefixes[kind]) ? await directory.projectOfKey(kind, key) : undefined
    if (project === undefined) throw invalidKey(kind)
    if (project.disabled) throw projectDisabledError()
    return { project, role: "KEY" }
  }

  const claimsOf = (request: Request) => readSession(request, sessions, clock.now())

  /** Reads the row of the session, once for the user and the membership; `refusal` is thrown without one. */
  async function rowOf(
    claims: SessionClaims | undefined,
    projectId: string | null,
    refusal = signedOut,
  ): Promise<SessionFacts> {
    const facts = claims && (await directory.session(claims.sessionId, projectId))
    if (facts === undefined || facts.user.userId !== claims?.userId) throw refusal()
    return facts
  }

  async function factsOf(
    request: Request,
    claims: SessionClaims | undefined,
    projectId: string | null,
    { unverified = false, refusal = signedOut } = {},
  ): Promise<SessionFacts> {
    const facts = await rowOf(claims, projectId, refusal)
    if (changesState(request) && !isSameOrigin(request, publicOrigin()))
      throw forbidden("This request did not come from the dashboard's own pages.")
    if (facts.user.mustVerify && !unverified)
      throw new DomainError("forbidden", "EMAIL_VERIFICATION_REQUIRED", "Confirm your address first.", {
        suggestion: "Follow the link in the mail we sent, or ask for another one.",
      })
    return facts
  }

  async function memberOf(
    request: Request,
    claims: SessionClaims | undefined,
    given: string,
    rule: MemberRule,
    refusal = signedOut,
  ): Promise<Member> {
    const projectId = parseId(given) ?? ""
    const { user, member } = await factsOf(request, claims, projectId, { refusal })
    const project = member?.project ?? (rule.owner && user.isOwner ? await directory.project(projectId) : undefined)
    if (project === undefined) throw accessDenied()
    const role = member?.role ?? "OWNER"
    if (!(rule.owner && user.isOwner)) authorize(role, rule.permission)
    const mayChange = rule.disabled === "anyone" || (rule.disabled === "owner" && user.isOwner)
    if (project.disabled && !mayChange && changesState(request)) throw projectDisabledError()
    return { project, role, user, isMember: member !== undefined }
  }

  return {
    byKey,
    async bySession(request, { unverified = false, owner = false, enabled = false, password = false } = {}) {
      const { user } = await factsOf(request, claimsOf(request), null, { unverified })
      if (owner && !user.isOwner) throw forbidden("Only the owner of this server may do this.")
      const { passwordGivenAt } = user
      if (password && passwordGivenAt !== undefined && clock.now() - passwordGivenAt > passwordLastsMs)
        throw forbidden("Give your password again before this: POST /auth/reauthenticate.")
      if (enabled && (await directory.ownsDisabled(user.userId)))
        throw projectDisabledError("One of your projects is disabled, so you cannot make another.")
      return user
    },
    bySessionIn: (request, projectId, rule) => memberOf(request, claimsOf(request), projectId, rule),
    async byKeyOrSession(request, permission) {
      const claims = claimsOf(request)
      if (claims === undefined) {
        const caller = await byKey(request, "secret")
        authorize(caller.role, permission)
        return caller
      }
      const given = request.headers.get("x-project-id")
      const refusal = () => invalidKey("secret")
      if (given !== null) return memberOf(request, claims, given, { permission }, refusal)
      await rowOf(claims, null, refusal)
      throw malformed("Send the header X-Project-Id with a session.")
    },
    refuseForeign(request) {
      const origin = request.headers.get("origin")
      const isSilent = request.headers.get("sec-fetch-site") === null
      if (isSilent ? origin !== null && origin !== publicOrigin() : isFromElsewhere(request))
        throw forbidden(
          `This request comes from another site than ${publicOrigin()}. Open the dashboard there, or set http.base_url to the address in the browser.`,
        )
    },
  }
}

/** `none`: the person typed the address. */
const ownSites = ["same-origin", "none"]

/** Whether a browser says that a request was made by a page of another origin, also one of the same site. */
export const isFromElsewhere = ({ headers }: Request): boolean =>
  !ownSites.includes(headers.get("sec-fetch-site") ?? "none")

const signedOut = (): DomainError => new DomainError("unauthorized", "UNAUTHORIZED", "Sign in first.")

const prefixes: Record<KeyKind, string> = { secret: "sk_", public: "pk_" }

const invalidKey = (kind: KeyKind): DomainError =>
  new DomainError("unauthorized", "INVALID_API_KEY", `A valid ${kind} API key is needed.`, {
    suggestion: `Send the header Authorization: Bearer ${prefixes[kind]}...`,
  })

export const accessDenied = (): DomainError =>
  new DomainError("forbidden", "PROJECT_ACCESS_DENIED", "You have no access to this project.")

export const projectDisabledError = (message = "This project is disabled."): DomainError =>
  new DomainError("forbidden", "PROJECT_DISABLED", message)

/** A state-changing request with a cookie must prove that it comes from our own pages (contract B8.1.2). */
function isSameOrigin(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin"
  return request.headers.get("origin") === origin
}
