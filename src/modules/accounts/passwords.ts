import { lengthOf } from "../../http/schema.ts"
import { DomainError, fault, invalid } from "../../kernel/errors.ts"
import { createFairSemaphore } from "../../kernel/fair-semaphore.ts"
import { commonPasswords } from "./common-passwords.ts"

/**
 * Hashes and verifies passwords, off the event loop, a few at a time: each takes 64 MB and most of a core. Composed and
 * decomposed characters are the same, as keyboards differ in which of them they produce (RFC 8265, 4.2.1).
 */
export interface Passwords {
  /**
   * Runs `work` with a place in the queue, so that an attempt that it counts is not turned away afterwards. `client` is the
   * network that asks; undefined for this machine itself. @throws {DomainError} 503 when too many others wait
   */
  inPlace<T>(client: string | undefined, work: (place: PasswordPlace) => Promise<T>): Promise<T>
}

interface PasswordPlace {
  /** @throws {DomainError} 422 when the password is too short, too long or too common */
  hash(password: string, field: string): Promise<string>
  /** Takes as long for an unknown account (`undefined`) as for a known one. */
  verify(password: string, hash: string | undefined): Promise<boolean>
}

/** The length of a new password (contract B8.2), in characters. */
export const passwordLength = { min: 8, max: 256 }
/**
 * In UTF-16 code units: a decomposed character has at most six. Limited before normalizing, which takes time quadratic
 * in the number of accents of one letter.
 */
const longestForm = 8 * passwordLength.max
const atOnce = 2
/** This many take a few seconds; clients that wait longer have given up. */
const mostWaiting = 100
/** Of them and those at work: a client with the right password of an account may go on without end. */
const mostOfClient = 50
/** In seconds. */
const retryAfter = 5
/** The cost of a hash: KiB of memory, and passes over it. */
export interface PasswordCost {
  readonly memoryCost: number
  readonly timeCost: number
}

const defaultCost: PasswordCost = { memoryCost: 65_536, timeCost: 2 }

export function createPasswords(cost: PasswordCost = defaultCost): Passwords {
  const turns = createFairSemaphore(atOnce)
  let underWay = 0
  const ofClients = new Map<string, number>()
  /** A hash without a known password, created on first use. */
  let dummy: Promise<string> | undefined

  function refuseIfBusy(client: string | undefined): void {
    const own = client === undefined ? 0 : (ofClients.get(client) ?? 0)
    if (underWay < atOnce + mostWaiting && own < mostOfClient) return
    throw new DomainError("unavailable", "SERVICE_UNAVAILABLE", "Too many people sign in at this moment.", {
      details: { retryAfter },
      suggestion: `Try again in ${retryAfter} seconds.`,
    })
  }

  function count(client: string | undefined, change: 1 | -1): void {
    underWay += change
    if (client === undefined) return
    const own = (ofClients.get(client) ?? 0) + change
    if (own > 0) ofClients.set(client, own)
    else ofClients.delete(client)
  }

  async function inTurn<T>(client: string | undefined, work: () => Promise<T>): Promise<T> {
    await turns.acquire(client ?? "")
    try {
      return await work()
    } finally {
      turns.release()
    }
  }

  const hash = (password: string) => Bun.password.hash(password, { algorithm: "argon2id", ...cost })

  /** Created again after a failure, which must not block all later sign-ins. */
  function dummyHash(): Promise<string> {
    dummy ??= inTurn(undefined, () => hash(crypto.randomUUID())).catch((cause) => {
      dummy = undefined
      throw cause
    })
    return dummy
  }

  function check(password: string, field: string): void {
    const wrong = passwordFault(password)
    if (wrong) throw invalid([fault(field, wrong.code, wrong.message)])
  }

  const placeOf = (client: string | undefined): PasswordPlace => ({
    async hash(password, field) {
      const composed = composedOf(password)
      check(composed, field)
      return inTurn(client, () => hash(composed))
    },
    async verify(password, known) {
      const other = await dummyHash()
      // No account can have such a password, and hashing a megabyte would take long.
      const composed = composedOf(password)
      const forms = lengthOf(composed) > passwordLength.max ? [""] : new Set([composed, password])
      const against = known || other
      // Version 0.1.0 hashed passwords as they were typed.
      for (const form of forms)
        if (await inTurn(client, () => Bun.password.verify(form, against))) return form !== "" && against !== other
      return false
    },
  })

  return {
    async inPlace(client, work) {
      refuseIfBusy(client)
      count(client, 1)
      try {
        return await work(placeOf(client))
      } finally {
        count(client, -1)
      }
    },
  }
}

/** The form that is hashed; a password that is too long stays as it is, and is too long. */
const composedOf = (password: string): string => (password.length > longestForm ? password : password.normalize("NFC"))

/** Contract B8.2: 8 to 256 characters, and not one of the most common ones. */
export function passwordFault(
  password: string,
): { code: "too_small" | "too_big" | "custom"; message: string } | undefined {
  const characters = lengthOf(password)
  if (characters < passwordLength.min)
    return { code: "too_small", message: `A password has at least ${passwordLength.min} characters.` }
  if (characters > passwordLength.max)
    return { code: "too_big", message: `A password has at most ${passwordLength.max} characters.` }
  if (isCommon(password))
    return {
      code: "custom",
      message:
        "This is one of the passwords that are tried first. Take three or four words that do not belong together.",
    }
  return undefined
}

/** Also in another case, or with digits or punctuation appended. */
function isCommon(password: string): boolean {
  const plain = password.toLowerCase()
  const stem = plain.replace(/[^a-z]{1,6}$/, "")
  return commonPasswords.has(plain) || commonPasswords.has(stem)
}
