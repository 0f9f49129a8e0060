import type { Engine } from "../../engine.ts"
import type { SignedIn } from "../../http/auth.ts"
import { conflict, DomainError, forbidden } from "../../kernel/errors.ts"
import { networkOf } from "../../kernel/network-of.ts"
import type { Unit } from "../../store/writer.ts"
import { byVisitor } from "../audit/index.ts"
import { signupByClient } from "./attempts.ts"
import type { Client } from "./client.ts"
import { actorOf, type CredentialDeps, type Identity, scope } from "./identity.ts"
import { newSession } from "./sessions.ts"
import {
  findOwner,
  findUserByEmail,
  insertMember,
  insertSession,
  insertUser,
  listOwnerless,
  saveConfirmed,
} from "./store.ts"
import type { Session, User } from "./table.ts"
import { takeAttempt } from "./throttle.ts"

interface SignInDeps extends CredentialDeps {
  readonly identity: Identity
}

/** The result of a sign-in or sign-up. */
export interface SignInResult {
  readonly user: User
  readonly session: Session
}

/** Sign-up, sign-in and the first account (contract B8.1.5, B8.2). */
export function createSignIn({ store, ids, config }: Pick<Engine, "store" | "ids" | "config">, deps: SignInDeps) {
  const { passwords, tokens, throttle, audit, identity } = deps

  async function enter(unit: Unit, user: User, client: Client): Promise<Session> {
    const session = newSession(unit, ids.next(), user.id, client)
    await insertSession(unit, session)
    return session
  }

  /** The first account voids the set-up link, and becomes the owner of projects created on the command line. */
  async function takeOver(unit: Unit, { id: userId }: User): Promise<void> {
    await tokens.revoke(unit, "setup", null)
    for (const { id: projectId } of await listOwnerless(unit.db))
      await insertMember(unit, { projectId, userId, role: "OWNER" })
  }

  /**
   * Until there is an account, only the person at the machine or with the set-up link may create one; while people may
   * not create accounts themselves, only the link.
   */
  async function admit(unit: Unit, client: Client, setupToken: string | undefined): Promise<boolean> {
    const isFirst = (await findOwner(unit.db)) === undefined
    if (!isFirst) {
      if (!config.accounts.signups) throw forbidden("This server takes no new accounts. Ask its owner for one.")
      return false
    }
    const hasLink = setupToken !== undefined && (await tokens.redeem(unit, "setup", setupToken)) !== undefined
    if (!hasLink && !(client.isLocal && config.accounts.signups))
      throw new DomainError("forbidden", "FORBIDDEN", "The first account is made with the set-up link.", {
        suggestion: "The server prints it when it starts; `mailstead setup-link` prints a new one.",
      })
    return true
  }

  return {
    /**
     * Creates an account and signs in to it. The first one owns the instance and the projects created on the command
     * line.
     */
    async signup(
      wanted: { email: string; password: string; setupToken?: string | undefined },
      client: Client,
    ): Promise<SignInResult> {
      const network = networkOf(client.address)
      const passwordHash = await passwords.inPlace(network, async ({ hash }) => {
        // In its own unit and before the hash: refused attempts count too, or 409 could be used to probe any number of
        // addresses.
        await store.write(scope, (unit) => takeAttempt(unit, signupByClient, network, "new accounts"))
        return hash(wanted.password, "password")
      })
      return store.write(scope, async (unit) => {
        const isFirst = await admit(unit, client, wanted.setupToken)
        const user: User = {
          id: ids.next(),
          email: wanted.email,
          passwordHash,
          isOwner: isFirst,
          verifiedAt: isFirst ? unit.now : null,
          language: client.language,
          createdAt: unit.now,
          updatedAt: unit.now,
        }
        if (!(await insertUser(unit, user))) throw conflict("There is an account with this address already.")
        if (isFirst) await takeOver(unit, user)
        else await identity.sendLink(unit, "verify", user, user.email)
        await audit.record(unit, {
          action: "account.created",
          actor: actorOf(user, client),
          details: { first: isFirst },
        })
        return { user, session: await enter(unit, user, client) }
      })
    },

    /** @throws {DomainError} 401 for an unknown address or a wrong password, 429 after 10 failures. */
    async login({ email, password }: { email: string; password: string }, client: Client): Promise<SignInResult> {
      const known = await findUserByEmail(store.read, email)
      const found = await identity.verify(email, known, { password, client, actor: byVisitor(client) })
      return store.write(scope, async (unit) => {
        const user = await identity.unchanged(unit, found)
        await throttle.succeed(unit, user, client)
        await audit.record(unit, { action: "account.signed_in", actor: actorOf(user, client) })
        return { user, session: await enter(unit, user, client) }
      })
    },

    /** Confirms the password in a session; actions that require this are allowed for the next 10 minutes. */
    async reauthenticate(signedIn: SignedIn, password: string, client: Client): Promise<void> {
      const user = await identity.confirm(signedIn, password, client)
      await store.write(scope, async (unit) => {
        await identity.unchanged(unit, user)
        await saveConfirmed(unit, signedIn.sessionId)
      })
    },

    /** Creates a confirmed account for the command line; the first one owns the instance. @throws {DomainError} 409 */
    async createUser(email: string, password: string): Promise<User> {
      const passwordHash = await passwords.inPlace(undefined, ({ hash }) => hash(password, "password"))
      return store.write(scope, async (unit) => {
        const isOwner = (await findOwner(unit.db)) === undefined
        const times = { verifiedAt: unit.now, createdAt: unit.now, updatedAt: unit.now }
        const user: User = { id: ids.next(), email, passwordHash, isOwner, language: "en", ...times }
        if (!(await insertUser(unit, user))) throw conflict("There is an account with this address already.")
        if (isOwner) await takeOver(unit, user)
        await audit.record(unit, { action: "account.created", details: { email, first: isOwner } })
        return user
      })
    },

    /** Whether the first account has yet to be created. */
    needsSetup: async (): Promise<boolean> => (await findOwner(store.read)) === undefined,

    /**
     * A new link to create the first account, valid once and for an hour; undefined when there is an account already.
     */
    async setupLink(): Promise<string | undefined> {
      // Where there is one nothing is written, so that a server starts on a full disk, too.
      if ((await findOwner(store.read)) !== undefined) return undefined
      return store.write(scope, async (unit) => {
        if ((await findOwner(unit.db)) !== undefined) return undefined
        const { id } = await tokens.issue(unit, "setup", { userId: null, email: null })
        return tokens.linkOf("setup", id)
      })
    },
  }
}
