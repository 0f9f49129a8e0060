import type { Engine } from "../../engine.ts"
import type { SessionFacts, SignedIn } from "../../http/auth.ts"
import { accessDenied } from "../../http/auth.ts"
import type { Role } from "../../http/permissions.ts"
import { readSession, type SessionClaims, type Sessions, sessionMs } from "../../http/session.ts"
import { forbidden, notFound } from "../../kernel/errors.ts"
import type { Links } from "../../mail/links.ts"
import type { Db } from "../../store/database.ts"
import type { EachSlice } from "../../store/slices.ts"
import type { Unit } from "../../store/writer.ts"
import type { Actor, Audit } from "../audit/index.ts"
import { type Project, type Projects, presentProject } from "../projects/index.ts"
import { dropOldAttempts } from "./attempts.ts"
import { createCredentials } from "./credentials.ts"
import { createIdentity } from "./identity.ts"
import { createMembers } from "./members.ts"
import { createPasswords, type PasswordCost } from "./passwords.ts"
import { createSignIn } from "./sign-in.ts"
import {
  deleteSession,
  dropExpiredSessions,
  findMember,
  findOwner,
  findSession,
  findUser,
  findUserByEmail,
  insertMember,
  insertSession,
  insertUser,
  listMemberships,
  listRecipients,
  listSessions,
  listUsers,
  listWithOwner,
  ownsDisabled,
  type SessionRow,
} from "./store.ts"
import type { User } from "./table.ts"
import { createLoginThrottle } from "./throttle.ts"
import { createTokens } from "./tokens.ts"
import type { ProjectChange } from "./wire.ts"

/** The built-in owner that the sandbox signs in automatically (contract A8.3.6). */
export const builtInOwner = "00000000-0000-7000-8000-000000000001"

export interface AccountDeps {
  readonly projects: Projects
  readonly audit: Audit
  readonly links: Links
  readonly sessions: Sessions
  /** The cost of password hashes; lower in tests. */
  readonly passwordCost?: PasswordCost | undefined
}

type AccountEngine = Pick<Engine, "store" | "ids" | "bus" | "config" | "secret" | "clock">

/** Accounts, their sessions, and who may see what. The sandbox has a built-in owner of everything. */
export function createAccountActions(
  engine: AccountEngine,
  { projects, audit, links, sessions, passwordCost }: AccountDeps,
) {
  const { store, ids, config, secret, clock } = engine
  const isSandbox = config.mode === "sandbox"
  const throttle = createLoginThrottle(secret)
  const tokens = createTokens({ ids, links })
  const passwords = createPasswords(passwordCost)
  const shared = { passwords, tokens, throttle, audit }
  const identity = createIdentity(engine, shared)
  const credentials = createCredentials(engine, { ...shared, identity })
  const signIn = createSignIn(engine, {
    ...shared,
    identity,
    sessionMs,
    sendsMail: config.systemMail.from !== null,
  })
  const members = createMembers({ store }, { audit, roleOf })

  const shown = (project: Project, role: Role) => presentProject(projects.withSecret(project), role)

  /** The membership of the sandbox's owner, who is a member of every project. */
  async function roleOfBuiltIn(userId: string, projectId: string | null, db?: Db) {
    if (!isSandbox || userId !== builtInOwner || projectId === null) return undefined
    const project = await projects.find(projectId, db)
    return project && { project, role: "OWNER" as const }
  }

  /** The role of a user in a project; undefined for a user who is no member. */
  async function roleOf(db: Db, projectId: string, userId: string): Promise<Role | undefined> {
    return ((await roleOfBuiltIn(userId, projectId, db)) ?? (await findMember(db, projectId, userId)))?.role
  }

  return {
    ...signIn,
    ...credentials,
    members,
    tokens,
    deviceCookie: throttle.deviceCookie,

    /** The facts of an existing session, with the membership in a project, from one row. */
    async session(sessionId: string, projectId: string | null): Promise<SessionFacts | undefined> {
      const row = await findSession(store.read, sessionId, projectId)
      if (row === undefined || row.expiresAt <= clock.now()) return undefined
      const { userId, email, isOwner } = row
      const member = memberIn(row) ?? (await roleOfBuiltIn(userId, projectId))
      const passwordGivenAt = isSandbox && userId === builtInOwner ? undefined : row.confirmedAt
      return {
        user: { userId, email, isOwner, sessionId, mustVerify: signIn.mustVerify(row), passwordGivenAt },
        member,
      }
    },

    async userOf({ userId }: SignedIn): Promise<User> {
      return (await findUser(store.read, userId)) ?? missing(userId)
    },

    sessionsOf: ({ userId }: SignedIn) => listSessions(store.read, userId, clock.now()),

    async endSession({ userId }: SignedIn, id: string): Promise<void> {
      const ended = await store.write("instance", (unit) => deleteSession(unit, userId, id))
      if (!ended) throw notFound("Session", id)
    },

    /** Ends the session of a request, if it has one. */
    async endSessionOf(request: Request): Promise<void> {
      const claims = readSession(request, sessions, clock.now())
      if (claims) await store.write("instance", (unit) => deleteSession(unit, claims.userId, claims.sessionId))
    },

    /** A session of the sandbox's owner, unless the request already has a valid one. */
    async enterBuiltIn(request: Request): Promise<SessionClaims | undefined> {
      const claims = readSession(request, sessions, clock.now())
      if (claims && (await findSession(store.read, claims.sessionId, null))) return undefined
      return store.write("instance", async (unit) => {
        const times = { createdAt: unit.now, expiresAt: unit.now + sessionMs }
        const userAgent = (request.headers.get("user-agent") ?? "").slice(0, 300)
        const row = { id: ids.next(), userId: builtInOwner, userAgent, address: "this machine", ...times }
        await insertSession(unit, { ...row, confirmedAt: unit.now })
        return { sessionId: row.id, userId: builtInOwner, ...times }
      })
    },

    /** Creates the sandbox's owner, who has no valid password. Called at every start. */
    async makeBuiltIn(): Promise<void> {
      if ((await findUser(store.read, builtInOwner)) !== undefined) return
      await store.write("instance", async (unit) => {
        const times = { verifiedAt: unit.now, createdAt: unit.now, updatedAt: unit.now }
        const who = { id: builtInOwner, email: "owner@localhost", passwordHash: "", isOwner: true, language: "en" }
        await insertUser(unit, { ...who, ...times })
      })
    },

    /** Whether a user is a member of a project. */
    isMember: async (projectId: string, userId: string): Promise<boolean> =>
      (await roleOf(store.read, projectId, userId)) !== undefined,

    /** Whether test messages of a project may go to an address: to those of its members, or any in the sandbox. */
    async mayReceiveTests(projectId: string, address: string): Promise<boolean> {
      return isSandbox || (await members.list(projectId)).some(({ email }) => email === address)
    },

    async projectsOf({ userId }: SignedIn) {
      if (isSandbox && userId === builtInOwner)
        return (await projects.list()).map((project) => presentProject(project, "OWNER"))
      return (await listMemberships(store.read, userId)).map(({ project, role }) => shown(project, role))
    },

    ownsDisabled: (userId: string) => ownsDisabled(store.read, userId),

    /** Creates a project owned by the actor. */
    async createProject(name: string, actor: Actor & { readonly userId: string }) {
      const project = await projects.create(name, {
        also: async (unit, projectId) => {
          await insertMember(unit, { projectId, userId: actor.userId, role: "OWNER" })
          await audit.record(unit, { projectId, action: "project.created", actor, details: { name } })
        },
      })
      return presentProject(project, "OWNER")
    },

    /** Creates a project on the command line. The owner of the instance owns it, once there is one. */
    async createProjectFor(name: string, options: Parameters<Projects["create"]>[1] = {}) {
      return projects.create(name, {
        ...options,
        also: async (unit, projectId) => {
          const owner = await findOwner(unit.db)
          if (owner) await insertMember(unit, { projectId, userId: owner.id, role: "OWNER" })
          await audit.record(unit, { projectId, action: "project.created", details: { name } })
        },
      })
    },

    /**
     * @throws {DomainError} 403: only the owner of the instance may set `disabled`, and an owner who is not a member
     * nothing else.
     */
    async changeProject(
      { id }: { id: string },
      { disabled, ...sent }: ProjectChange,
      actor: Actor & { isOwner: boolean; isMember: boolean; role: Role },
    ) {
      const changes = Object.values(sent).some((value) => value !== undefined)
      if (disabled !== undefined && !actor.isOwner) throw forbidden("Only the owner of this server may do this.")
      if (!actor.isMember && (changes || disabled === undefined)) throw accessDenied()
      await projects.settings.update(await projects.get(id), { ...sent, disabled }, actor)
      return shown(await projects.get(id), actor.role)
    },

    async rotateKeys(id: string, role: Role, actor: Actor) {
      await projects.settings.rotateKeys(id, actor)
      return shown(await projects.get(id), role)
    },

    resetProject: (id: string, actor: Actor) => projects.settings.reset(id, actor),

    async deleteProject(id: string, actor: Actor): Promise<void> {
      await projects.settings.remove(await projects.get(id), actor)
    },

    leave: (projectId: string, user: SignedIn & { address: string }) => members.leave(projectId, user),

    users: () => listUsers(store.read),

    /** Every project, oldest first, with the address of its owner; null before the first account. */
    projectsWithOwner: () => listWithOwner(store.read),

    /** The data of a link to send; undefined once it is void. Reads through the handle of the caller's unit. */
    async tokenToSend({ db, now }: Unit, id: string) {
      const token = await tokens.get(db, id, now)
      const user = token?.userId ? await findUser(db, token.userId) : undefined
      return token && user && { token, user }
    },

    /** Addresses and languages of the members of a project. */
    recipientsIn: ({ db }: Unit, projectId: string) => listRecipients(db, projectId),

    /** The address and language of the owner of the instance; undefined while there is no account. */
    instanceOwner: ({ db }: Unit) => findOwner(db),

    /** Deletes expired sessions and tokens, and counters of attempts whose window has ended. */
    async prune(each: EachSlice): Promise<void> {
      for (const drop of [dropExpiredSessions, tokens.dropExpired, dropOldAttempts]) await each(drop)
    },

    /** Creates an account on the command line; its address counts as confirmed. @throws {DomainError} 409 */
    async createUser(email: string, password: string): Promise<User> {
      return signIn.createConfirmed(email, password)
    },

    /** Sets a password on the command line and ends all sessions. @throws {DomainError} 404 */
    async setPassword(email: string, password: string): Promise<User> {
      const user = await findUserByEmail(store.read, email)
      if (user === undefined) throw notFound("Account", email)
      await credentials.setPassword(user, password)
      return user
    },
  }
}

export type Accounts = ReturnType<typeof createAccountActions>

/** The membership that the row of a session has, if the user is a member of the project that was asked for. */
function memberIn({ role, project: id, name, language, disabled, publicResubscribe, postalAddress }: SessionRow) {
  if (role === null || id === null || name === null || language === null) return undefined
  const flags = { disabled: disabled === true, publicResubscribe: publicResubscribe === true }
  return { role, project: { id, name, language, postalAddress, ...flags } }
}

function missing(id: string): never {
  throw notFound("Account", id)
}
