import type { Engine } from "../../engine.ts"
import type { SignedIn } from "../../http/auth.ts"
import { DomainError } from "../../kernel/errors.ts"
import { nilId } from "../../kernel/ids.ts"
import { networkOf } from "../../kernel/network-of.ts"
import type { Unit } from "../../store/writer.ts"
import type { Actor, Audit } from "../audit/index.ts"
import type { Client } from "./client.ts"
import type { Passwords } from "./passwords.ts"
import { accountTokenIssued } from "./signals.ts"
import { findUser } from "./store.ts"
import type { TokenPurpose, User } from "./table.ts"
import type { LoginThrottle } from "./throttle.ts"
import type { Tokens } from "./tokens.ts"

export interface CredentialDeps {
  readonly passwords: Passwords
  readonly tokens: Tokens
  readonly throttle: LoginThrottle
  readonly audit: Audit
}

/** The scope of writes about accounts, which concern no project. */
export const scope = "instance"

const wrongPassword = () =>
  new DomainError("unauthorized", "INVALID_CREDENTIALS", "The address or the password is wrong.")

export const actorOf = ({ id, email }: Pick<User, "id" | "email">, { address }: Pick<Client, "address">) => ({
  userId: id,
  email,
  address,
})

/** The common parts of signing in and changing credentials. */
export function createIdentity(
  { store, bus }: Pick<Engine, "store" | "bus">,
  { passwords, tokens, throttle, audit }: CredentialDeps,
) {
  /** Issues a token; the subscriber of the signal sends its link by mail or writes it to the log. */
  async function sendLink(unit: Unit, purpose: TokenPurpose, user: Pick<User, "id">, email: string): Promise<void> {
    const { id } = await tokens.issue(unit, purpose, { userId: user.id, email })
    await bus.emit(unit, accountTokenIssued, nilId, { id })
  }

  async function userOf(signedIn: SignedIn): Promise<User> {
    const user = await findUser(store.read, signedIn.userId)
    if (user === undefined) throw wrongPassword()
    return user
  }

  /**
   * Resolves to the user if the password is correct. Only the failure that reaches a limit is audited, so that an
   * attack adds one row per time window. @throws {DomainError} 401, also for an unknown user; 429; 503
   */
  async function verify(
    email: string,
    user: User | undefined,
    { password, client, actor }: { password: string; client: Client; actor: Actor },
  ): Promise<User> {
    return passwords.inPlace(networkOf(client.address), async (place) => {
      const usedUp = await store.write(scope, (unit) => throttle.take(unit, email, user, client))
      if ((await place.verify(password, user?.passwordHash)) && user !== undefined) return user
      if (usedUp.length > 0)
        await store.write(scope, async (unit) => {
          for (const limit of usedUp)
            await audit.record(unit, { action: "account.sign_in_failed", actor, details: { ...limit } })
        })
      throw wrongPassword()
    })
  }

  /**
   * Checks the password of a user who is signed in; a wrong one counts as a failed sign-in. In a unit of its own, so
   * that the attempt is settled even if the action that required the password is refused.
   */
  async function confirm(signedIn: SignedIn, password: string, client: Client): Promise<User> {
    const user = await userOf(signedIn)
    await verify(user.email, user, { password, client, actor: actorOf(user, client) })
    await store.write(scope, async (unit) => {
      await unchanged(unit, user)
      await throttle.succeed(unit, user, client)
    })
    return user
  }

  /**
   * The account, unless it was deleted or its password was changed while the given one was verified. @throws
   * {DomainError} 401
   */
  async function unchanged(unit: Unit, { id, passwordHash }: User): Promise<User> {
    const user = await findUser(unit.db, id)
    if (user?.passwordHash !== passwordHash) throw wrongPassword()
    return user
  }

  return { sendLink, userOf, verify, confirm, unchanged }
}

export type Identity = ReturnType<typeof createIdentity>
