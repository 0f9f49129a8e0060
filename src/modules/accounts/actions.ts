import type { Engine } from "../../engine.ts"
import type { SessionFacts, SignedIn } from "../../http/auth.ts"
import type { Role } from "../../http/permissions.ts"
import { readSession, type Sessions } from "../../http/session.ts"
import { notFound } from "../../kernel/errors.ts"
import type { Links } from "../../mail/links.ts"
import type { Db } from "../../store/database.ts"
import type { EachSlice } from "../../store/slices.ts"
import type { Unit } from "../../store/writer.ts"
import type { Audit } from "../audit/index.ts"
import type { Projects } from "../projects/index.ts"
import { deleteOldAttempts } from "./attempts.ts"
import { createBuiltInOwner } from "./built-in-owner.ts"
import { createCredentials } from "./credentials.ts"
import { createIdentity } from "./identity.ts"
import { createMembers } from "./members.ts"
import { createPasswords, type PasswordCost } from "./passwords.ts"
import { createAccountProjects } from "./projects.ts"
import { createSignIn } from "./sign-in.ts"
import {
  deleteExpiredSessions,
  deleteSession,
  findMember,
  findOwner,
  findSession,
  findUser,
  findUserByEmail,
  isOfInstanceOwner,
  listRecipients,
  listSessions,
  listUsers,
  type SessionRow,
} from "./store.ts"
import type { User } from "./table.ts"
import { createLoginThrottle } from "./throttle.ts"
import { createTokens } from "./tokens.ts"

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
  const throttle = createLoginThrottle(secret)
  const tokens = createTokens({ ids, links })
  const passwords = createPasswords(passwordCost)
  const shared = { passwords, tokens, throttle, audit }
  const identity = createIdentity(engine, shared)
  /** Whether an account must confirm its address before it can be used: where system mail is sent. */
  const mustVerify = ({ verifiedAt }: Pick<User, "verifiedAt">): boolean =>
    config.systemMail.from !== null && verifiedAt === null
  const credentials = createCredentials(engine, { ...shared, identity, mustVerify })
  const signIn = createSignIn(engine, { ...shared, identity })
  const members = createMembers({ store }, { audit, roleOf })
  const builtIn = createBuiltInOwner(engine, { projects, sessions })
  const ownProjects = createAccountProjects(engine, { projects, audit, isBuiltIn: builtIn.isBuiltIn })

  /** The role of a user in a project; undefined for a user who is not a member. */
  async function roleOf(db: Db, projectId: string, userId: string): Promise<Role | undefined> {
    return ((await builtIn.memberOf(userId, projectId, db)) ?? (await findMember(db, projectId, userId)))?.role
  }

  return {
    ...signIn,
    ...credentials,
    ...ownProjects,
    members,
    builtIn,
    tokens,
    deviceCookie: throttle.deviceCookie,

    /** The facts of an existing session, with the membership in a project, from one row. */
    async session(sessionId: string, projectId: string | null): Promise<SessionFacts | undefined> {
      const row = await findSession(store.read, sessionId, projectId)
      if (row === undefined || row.expiresAt <= clock.now()) return undefined
      const { userId, email, isOwner } = row
      const member = memberIn(row) ?? (await builtIn.memberOf(userId, projectId))
      const passwordGivenAt = builtIn.isBuiltIn(userId) ? undefined : row.confirmedAt
      return {
        user: { userId, email, isOwner, sessionId, mustVerify: mustVerify(row), passwordGivenAt },
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

    /** Whether a project belongs to the owner of the instance, or to nobody yet. */
    isOperators: (projectId: string): Promise<boolean> => isOfInstanceOwner(store.read, projectId),

    /** Whether a user is a member of a project. */
    isMember: async (projectId: string, userId: string): Promise<boolean> =>
      (await roleOf(store.read, projectId, userId)) !== undefined,

    /** Whether test messages of a project may go to an address: to those of its members, or any in the sandbox. */
    async mayReceiveTests(projectId: string, address: string): Promise<boolean> {
      return config.mode === "sandbox" || (await members.list(projectId)).some(({ email }) => email === address)
    },

    users: () => listUsers(store.read),

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
      for (const deleteOld of [deleteExpiredSessions, tokens.deleteExpired, deleteOldAttempts]) await each(deleteOld)
    },

    /** Sets a password on the command line and ends all sessions. @throws {DomainError} 404 */
    async setPasswordOf(email: string, password: string): Promise<User> {
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
