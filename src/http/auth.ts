import type { Clock } from "../kernel/clock.ts"
import { DomainError, forbidden, malformed } from "../kernel/errors.ts"
import { parseId } from "../kernel/ids.ts"
import { readSession, type Sessions } from "./session.ts"

/** The project a request acts on. */
export interface ProjectRef {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly disabled: boolean
}

export type Role = "OWNER" | "ADMIN" | "MEMBER"
export type KeyKind = "secret" | "public"

/** Whose key or session this is. */
export interface Directory {
  projectOfKey(kind: KeyKind, key: string): Promise<ProjectRef | undefined>
  membership(userId: string, projectId: string): Promise<{ project: ProjectRef; role: Role } | undefined>
}

/** Who makes a request. A caller by key has the rights of a member and may manage domains, and counts against the rate limit. */
export interface Caller {
  readonly project: ProjectRef
  readonly role: Role | "KEY"
}

export interface Authenticator {
  /** One key kind, nothing else: the `/v1` endpoints. */
  byKey(request: Request, kind: KeyKind): Promise<Caller>
  /** A secret key, or a session with `X-Project-Id` (contract A1.5). */
  byKeyOrSession(request: Request): Promise<Caller>
  /** A session alone: the id of the user. */
  bySession(request: Request): string
  /** A session, and a project that is named by something else than a header of ours. */
  bySessionIn(request: Request, projectId: string): Promise<Caller>
}

export interface AuthDeps {
  directory: Directory
  sessions: Sessions
  clock: Clock
  /** Scheme, host and port that browsers see, for the origin check of state-changing cookie requests. */
  publicOrigin: () => string
}

const keyForm = /^bearer +([sp]k_\S+)$/i
const safeMethods = ["GET", "HEAD", "OPTIONS"]

export function createAuthenticator({ directory, sessions, clock, publicOrigin }: AuthDeps): Authenticator {
  async function byKey(request: Request, kind: KeyKind): Promise<Caller> {
    const key = keyForm.exec(request.headers.get("authorization") ?? "")?.[1]
    const project = key?.startsWith(prefixes[kind]) ? await directory.projectOfKey(kind, key) : undefined
    if (project === undefined) throw invalidKey(kind)
    if (project.disabled) throw disabled()
    return { project, role: "KEY" }
  }

  function bySession(request: Request): string {
    const session = readSession(request, sessions, clock.now())
    if (session === undefined) throw new DomainError("unauthorized", "UNAUTHORIZED", "Sign in first.")
    if (!safeMethods.includes(request.method) && !isSameOrigin(request, publicOrigin()))
      throw forbidden("This request did not come from the dashboard's own pages.")
    return session.userId
  }

  async function bySessionIn(request: Request, projectId: string): Promise<Caller> {
    const userId = bySession(request)
    const member = await directory.membership(userId, parseId(projectId) ?? "")
    if (member) return member
    throw new DomainError("forbidden", "PROJECT_ACCESS_DENIED", "You have no access to this project.")
  }

  return {
    byKey,
    bySession,
    bySessionIn,
    async byKeyOrSession(request) {
      if (readSession(request, sessions, clock.now()) === undefined) return byKey(request, "secret")
      const given = request.headers.get("x-project-id")
      if (given === null) throw malformed("Send the header X-Project-Id with a session.")
      const member = await bySessionIn(request, given)
      if (member.project.disabled && !safeMethods.includes(request.method)) throw disabled()
      return member
    },
  }
}

const prefixes: Record<KeyKind, string> = { secret: "sk_", public: "pk_" }

const invalidKey = (kind: KeyKind): DomainError =>
  new DomainError("unauthorized", "INVALID_API_KEY", `A valid ${kind} API key is needed.`, {
    suggestion: `Send the header Authorization: Bearer ${prefixes[kind]}...`,
  })

const disabled = (): DomainError => new DomainError("forbidden", "PROJECT_DISABLED", "This project is disabled.")

/** Contract B8.1.2: a state-changing request by cookie proves that it comes from our own pages. */
function isSameOrigin(request: Request, origin: string): boolean {
  const site = request.headers.get("sec-fetch-site")
  if (site !== null) return site === "same-origin"
  return request.headers.get("origin") === origin
}
