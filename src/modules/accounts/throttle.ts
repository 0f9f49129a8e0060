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
export interface UsedUp {
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
 * Sign-ins are counted before the password is verified, so that concurrent ones cannot exceed the limits: for the
 * address and for the client's network. A success forgets the failures of the address, and of the client takes back only
 * itself, so that an account of one's own is no way around that limit. A device on which the present password was given
 * before has a signed cookie and is counted by itself, instead of both: neither deliberate failures nor others behind the
 * same proxy lock it out. Whoever knew an earlier password only may have collected any number of such cookies.
 */
export function createLoginThrottle(secret: Secret) {
  const signed = (device: string, { id, passwordHash }: Account) => `${device}:${id}:${passwordHash}`

  function deviceOf(user: Account | undefined, cookie: string | undefined): string | undefined {
    const [device, signature] = cookie?.split(".") ?? []
    if (user === undefined || device === undefined || signature === undefined) return undefined
    return secret.verify("device", signed(device, user), Buffer.from(signature, "base64url")) ? device : undefined
  }

  /** What a sign-in counts for; without `client` on a known device. */
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

    /** The password of the attempt that was taken was right. */
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
