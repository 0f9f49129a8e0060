import { randomBytes } from "node:crypto"
import { DomainError } from "../../kernel/errors.ts"
import { networkOf } from "../../kernel/network-of.ts"
import type { Secret } from "../../store/secret.ts"
import type { Unit } from "../../store/writer.ts"
import {
  type AttemptLimit,
  countAttempt,
  forgetAttempts,
  loginByAddress,
  loginByClient,
  secondsUntilFree,
  takeBackAttempt,
} from "./attempts.ts"
import type { Client } from "./client.ts"
import type { User } from "./table.ts"

/** A limit that is reached, once in its window. */
interface UsedUp {
  /** Undefined for the limit of a client. */
  readonly email?: string
  readonly failures: number
}

type Account = Pick<User, "id" | "email" | "passwordHash">

/**
 * Resolves to whether this was the last attempt in its window. @throws {DomainError} 429 with the seconds until the next
 * one; the count of this attempt is rolled back with its unit
 */
export async function takeAttempt(unit: Unit, limit: AttemptLimit, of: string, what: string): Promise<boolean> {
  const count = await countAttempt(unit, limit, of)
  if (count <= limit.most) return count === limit.most
  const retryAfter = (await secondsUntilFree(unit.db, limit, of, unit.now)) ?? 1
  throw new DomainError("too_many", "RATE_LIMIT_EXCEEDED", `Too many ${what}. Try again in ${inWords(retryAfter)}.`, {
    details: { retryAfter },
  })
}

const inWords = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`

/**
 * Sign-ins are counted before the password is verified, so that concurrent ones cannot exceed the limits: per address
 * and per network of the client. A success clears the count of the address, but only its own attempt from that of the
 * network, so that an attacker's own account cannot reset that limit. A device on which the present password was given
 * before has a signed cookie and a counter of its own instead: neither deliberate failures nor other users behind the
 * same proxy can lock it out. Cookies of an earlier password do not count, because whoever knew it could have collected
 * any number of them.
 */
export function createLoginThrottle(secret: Secret) {
  const signed = (device: string, { id, passwordHash }: Account) => `${device}:${id}:${passwordHash}`

  function deviceOf(user: Account | undefined, cookie: string | undefined): string | undefined {
    const [device, signature] = cookie?.split(".") ?? []
    if (user === undefined || device === undefined || signature === undefined) return undefined
    return secret.verify("device", signed(device, user), Buffer.from(signature, "base64url")) ? device : undefined
  }

  /** The counters of a sign-in; without `client` on a known device. */
  function counted(
    email: string,
    user: Account | undefined,
    { device, address }: Client,
  ): { account: string; client?: string } {
    const known = deviceOf(user, device)
    return known === undefined ? { account: email, client: networkOf(address) } : { account: `${email} on ${known}` }
  }

  /** Forgets the failures of an address, on a known device those of the device. */
  async function forget(unit: Unit, user: Account, client: Client): Promise<void> {
    await forgetAttempts(unit, loginByAddress, counted(user.email, user, client).account)
  }

  return {
    /**
     * Resolves to the limits that this attempt uses up, unless it succeeds; `user` is that of the address, if there is one.
     * @throws {DomainError} 429
     */
    async take(unit: Unit, email: string, user: Account | undefined, client: Client): Promise<readonly UsedUp[]> {
      const { account, client: network } = counted(email, user, client)
      const what = "failed sign-ins"
      const usedUp: UsedUp[] = []
      if (await takeAttempt(unit, loginByAddress, account, what)) usedUp.push({ email, failures: loginByAddress.most })
      if (network !== undefined && (await takeAttempt(unit, loginByClient, network, what)))
        usedUp.push({ failures: loginByClient.most })
      return usedUp
    },

    forget,

    /** The password of a counted attempt was correct. */
    async succeed(unit: Unit, user: Account, client: Client): Promise<void> {
      await forget(unit, user, client)
      const { client: network } = counted(user.email, user, client)
      if (network !== undefined) await takeBackAttempt(unit, loginByClient, network)
    },

    /** The cookie that gives this device a separate counter until the password changes. */
    deviceCookie(user: Account, cookie: string | undefined): string {
      const device = deviceOf(user, cookie) ?? randomBytes(16).toString("base64url")
      return `${device}.${secret.sign("device", signed(device, user)).toString("base64url")}`
    },
  }
}

export type LoginThrottle = ReturnType<typeof createLoginThrottle>
