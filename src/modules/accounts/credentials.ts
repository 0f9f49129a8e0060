import type { Engine } from "../../engine.ts"
import type { SignedIn } from "../../http/auth.ts"
import { conflict, malformed } from "../../kernel/errors.ts"
import { nilId } from "../../kernel/ids.ts"
import { networkOf } from "../../kernel/network-of.ts"
import type { Unit } from "../../store/writer.ts"
import { isAttemptAllowed, newAddresses, resetByClient, resetMails, verificationMails } from "./attempts.ts"
import type { Client } from "./client.ts"
import { actorOf, type CredentialDeps, type Identity, scope } from "./identity.ts"
import { passwordResetRequested } from "./signals.ts"
import { deleteGivenMemberships, deleteSessions, findUser, findUserByEmail, saveUser } from "./store.ts"
import type { User } from "./table.ts"
import { takeAttempt } from "./throttle.ts"

interface CredentialChangeDeps extends CredentialDeps {
  readonly identity: Identity
  /** Whether an account must confirm its address before it can be used (contract B8.1.3). */
  readonly mustVerify: (user: Pick<User, "verifiedAt">) => boolean
}

/** Passwords and addresses of accounts (contract B8.2.5 to 8, 10, 11). */
export function createCredentials(
  { store, clock, bus }: Pick<Engine, "store" | "clock" | "bus">,
  { passwords, tokens, throttle, audit, identity, mustVerify }: CredentialChangeDeps,
) {
  const { sendLink, userOf, confirm, unchanged } = identity

  /** A new password voids all links that were requested under the old one, which somebody else may have known. */
  async function voidLinks(unit: Unit, userId: string): Promise<void> {
    for (const purpose of ["reset", "email"] as const) await tokens.revoke(unit, purpose, userId)
  }

  /**
   * Ends the memberships that others gave to an account whose address was never confirmed: they were meant for the owner
   * of that address, which this person has not shown to be (contract B8.2.16).
   */
  async function leaveProjects(unit: Unit, { id: userId, email }: User): Promise<void> {
    for (const { projectId } of await deleteGivenMemberships(unit, userId))
      await audit.record(unit, {
        projectId,
        action: "member.left",
        actor: { userId, email, address: null },
        details: { email },
      })
  }

  const hashNew = (password: string, client: Client): Promise<string> =>
    passwords.inPlace(networkOf(client.address), ({ hash }) => hash(password, "newPassword"))

  return {
    /**
     * Ends all other sessions, and voids links to set a new password or address. Resolves to the user with the new password.
     */
    async changePassword(
      signedIn: SignedIn,
      given: { currentPassword: string; newPassword: string },
      client: Client,
    ): Promise<User> {
      const user = await confirm(signedIn, given.currentPassword, client)
      const passwordHash = await hashNew(given.newPassword, client)
      await store.write(scope, async (unit) => {
        await unchanged(unit, user)
        await saveUser(unit, user.id, { passwordHash })
        await deleteSessions(unit, user.id, signedIn.sessionId)
        await voidLinks(unit, user.id)
        await audit.record(unit, { action: "account.password_changed", actor: actorOf(user, client) })
      })
      return { ...user, passwordHash }
    },

    /** Sets a password without asking for the old one, and ends all sessions. */
    async setPassword({ id, email }: User, password: string): Promise<void> {
      const passwordHash = await passwords.inPlace(undefined, ({ hash }) => hash(password, "password"))
      await store.write(scope, async (unit) => {
        await saveUser(unit, id, { passwordHash })
        await deleteSessions(unit, id, null)
        await voidLinks(unit, id)
        await audit.record(unit, { action: "account.password_set", details: { email } })
      })
    },

    /** Sends a link to the new address; the account gets the address once the link is followed. */
    async changeEmail(signedIn: SignedIn, wanted: { email: string; password: string }, client: Client): Promise<void> {
      const user = await confirm(signedIn, wanted.password, client)
      // In its own unit: refused attempts count too, or 409 could be used to probe any number of addresses.
      await store.write(scope, (unit) => takeAttempt(unit, newAddresses, user.id, "new addresses"))
      await store.write(scope, async (unit) => {
        await unchanged(unit, user)
        if ((await findUserByEmail(unit.db, wanted.email)) !== undefined)
          throw conflict("There is an account with this address already.")
        await takeAttempt(unit, verificationMails, user.id, "confirmation mails")
        await sendLink(unit, "email", user, wanted.email)
      })
    },

    /** @throws {DomainError} 429 after 3 in an hour. */
    async requestVerification(signedIn: SignedIn): Promise<void> {
      const user = await userOf(signedIn)
      await store.write(scope, async (unit) => {
        await takeAttempt(unit, verificationMails, user.id, "confirmation mails")
        if (user.verifiedAt === null) await sendLink(unit, "verify", user, user.email)
      })
    },

    /** Confirms an address, or gives an account its new one. @throws {DomainError} 400 for an invalid token. */
    async verifyEmail(token: string): Promise<void> {
      await store.write(scope, async (unit) => {
        const found = (await tokens.redeem(unit, "verify", token)) ?? (await tokens.redeem(unit, "email", token))
        const user = found?.userId ? await findUser(unit.db, found.userId) : undefined
        if (found === undefined || found.email === null || user === undefined) throw badLink("confirm an address")
        if (found.purpose === "verify" && found.email !== user.email) throw badLink("confirm an address")
        if (found.purpose === "email") {
          if ((await findUserByEmail(unit.db, found.email)) !== undefined)
            throw conflict("There is an account with this address already.")
          await tokens.revoke(unit, "reset", user.id)
          if (mustVerify(user)) await leaveProjects(unit, user)
          await audit.record(unit, {
            action: "account.address_changed",
            actor: { ...user, userId: user.id, address: null },
            details: { email: found.email },
          })
        }
        await tokens.revoke(unit, "verify", user.id)
        await saveUser(unit, user.id, { email: found.email, verifiedAt: unit.now })
      })
    },

    /**
     * Requests a link to set a new password, which is sent if there is such an account. Result and duration do not
     * depend on that, because the account is looked up in the background.
     */
    async requestPasswordReset(email: string, client: Client): Promise<void> {
      await store.write(scope, async (unit) => {
        // Over the limit nothing is sent, without an error.
        const isFree =
          (await isAttemptAllowed(unit, resetByClient, networkOf(client.address))) &&
          (await isAttemptAllowed(unit, resetMails, email))
        if (isFree) await bus.emit(unit, passwordResetRequested, nilId, { email })
      })
    },

    /** Sends the link that was asked for. */
    async sendReset(unit: Unit, email: string): Promise<void> {
      const user = await findUserByEmail(unit.db, email)
      if (user !== undefined) await sendLink(unit, "reset", user, user.email)
    },

    /**
     * Sets a new password and ends all sessions. Resolves to the user with the new password. @throws {DomainError} 400 for an
     * invalid token.
     */
    async resetPassword({ token, newPassword }: { token: string; newPassword: string }, client: Client): Promise<User> {
      // Without a valid link nothing is hashed.
      if ((await tokens.find(store.read, "reset", token, clock.now())) === undefined)
        throw badLink("set a new password")
      const passwordHash = await hashNew(newPassword, client)
      return store.write(scope, async (unit) => {
        const found = await tokens.redeem(unit, "reset", token)
        const user = found?.userId ? await findUser(unit.db, found.userId) : undefined
        if (user === undefined) throw badLink("set a new password")
        await voidLinks(unit, user.id)
        // The link proves access to the mail of this address.
        await saveUser(unit, user.id, { passwordHash, verifiedAt: user.verifiedAt ?? unit.now })
        await deleteSessions(unit, user.id, null)
        await throttle.forget(unit, user, client)
        await audit.record(unit, { action: "account.password_reset", actor: actorOf(user, client) })
        return { ...user, passwordHash }
      })
    },
  }
}

const badLink = (to: string) =>
  malformed(`This link to ${to} is not valid any more.`, { suggestion: "Ask for a new one." })
