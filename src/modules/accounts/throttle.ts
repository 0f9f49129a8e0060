import { randomBytes } from "node:crypto"
import { DomainError } from "../../kernel/errors.ts"
import type { Secret } from "../../store/secret.ts"
import type { Unit } from "../../store/writer.ts"
import {
  type AttemptLimit,
  countAttempt,
  forgetAttempts,
  loginByAddress,
  loginByClient,
  secondsUntilFree,
} from "./attempts.ts"
import type { Client } from "./client.ts"

/** The counters of a sign-in: the address, or instead of it a device on which this address has signed in before. */
type Counted = readonly [limit: AttemptLimit, of: string]

/**
 * @throws {DomainError} 429 with the seconds until the next attempt. The count of this attempt is rolled back with its
 * unit.
 */
export async function takeAttempt(unit: Unit, limit: AttemptLimit, of: string, what: string): Promise<void> {
  const count = await countAttempt(unit, limit, of)
  if (count <= limit.most) return
  const retryAfter = (await secondsUntilFree(unit.db, limit, of, unit.now)) ?? 1
  throw new DomainError("too_many", "RATE_LIMIT_EXCEEDED", `Too many ${what}. Try again in ${inWords(retryAfter)}.`, {
    details: { retryAfter },
  })
}

const inWords = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`

/**
 * Sign-ins are counted before the password is verified, so that concurrent ones cannot exceed the limit, and the count
 * is reset by a success. Deliberate failures lock an address only for unknown devices: a device on which its owner has
 * signed in before has a signed cookie and a separate counter.
 */
export function createLoginThrottle(secret: Secret) {
  const sign = (email: string, device: string) => secret.sign("device", `${device}:${email}`).toString("base64url")

  function deviceOf(email: string, cookie: string | undefined): string | undefined {
    const [device, signature] = cookie?.split(".") ?? []
    if (device === undefined || signature === undefined) return undefined
    return secret.verify("device", `${device}:${email}`, Buffer.from(signature, "base64url")) ? device : undefined
  }

  const counted = (email: string, { device, address }: Client): Counted[] => {
    const known = deviceOf(email, device)
    return [
      [loginByAddress, known === undefined ? email : `${email} on ${known}`],
      [loginByClient, address],
    ]
  }

  return {
    async take(unit: Unit, email: string, client: Client): Promise<void> {
      for (const [limit, of] of counted(email, client)) await takeAttempt(unit, limit, of, "failed sign-ins")
    },

    async forget(unit: Unit, email: string, client: Client): Promise<void> {
      for (const [limit, of] of counted(email, client)) await forgetAttempts(unit, limit, of)
    },

    /** The cookie that gives this device a separate counter from now on. */
    deviceCookie(email: string, cookie: string | undefined): string {
      const device = deviceOf(email, cookie) ?? randomBytes(16).toString("base64url")
      return `${device}.${sign(email, device)}`
    },
  }
}

export type LoginThrottle = ReturnType<typeof createLoginThrottle>
