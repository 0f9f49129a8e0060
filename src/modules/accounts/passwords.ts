import { lengthOf } from "../../http/schema.ts"
import { fault, invalid } from "../../kernel/errors.ts"
import { commonPasswords } from "./common-passwords.ts"

/** Hashes and verifies passwords, off the event loop, a few at a time: each takes 64 MB and most of a core. */
export interface Passwords {
  /** @throws {DomainError} 422 as `hash` does, at once. */
  check(password: string, field: string): void
  /** @throws {DomainError} 422 when the password is too short, too long or one of those that are tried first. */
  hash(password: string, field: string): Promise<string>
  /** Takes as long for an unknown account (`undefined`) as for a known one. */
  verify(password: string, hash: string | undefined): Promise<boolean>
}

const length = { min: 8, max: 256 }
const atOnce = 2
/** What a hash costs: KiB of memory, and passes over it. */
export interface PasswordCost {
  readonly memoryCost: number
  readonly timeCost: number
}

const defaultCost: PasswordCost = { memoryCost: 65_536, timeCost: 2 }

export function createPasswords(cost: PasswordCost = defaultCost): Passwords {
  let running = 0
  const waiting: (() => void)[] = []
  /** A hash that no password has, made when it is first needed. */
  let nobodys: Promise<string> | undefined

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  const hash = (password: string) => inTurn(() => Bun.password.hash(password, { algorithm: "argon2id", ...cost }))

  function check(password: string, field: string): void {
    const wrong = passwordFault(password)
    if (wrong) throw invalid([fault(field, wrong.code, wrong.message)])
  }

  return {
    check,
    async hash(password, field) {
      check(password, field)
      return hash(password)
    },
    async verify(password, known) {
      nobodys ??= hash(crypto.randomUUID())
      const other = await nobodys
      // No account can have it, and hashing a megabyte would take its time.
      const given = lengthOf(password) > length.max ? "" : password
      const against = known || other
      const matches = await inTurn(() => Bun.password.verify(given, against))
      return matches && against !== other && given === password
    },
  }
}

/** Contract B8.2: 8 to 256 characters, and none of the most used ones. */
export function passwordFault(
  password: string,
): { code: "too_small" | "too_big" | "custom"; message: string } | undefined {
  const characters = lengthOf(password)
  if (characters < length.min)
    return { code: "too_small", message: `A password has at least ${length.min} characters.` }
  if (characters > length.max) return { code: "too_big", message: `A password has at most ${length.max} characters.` }
  if (isCommon(password))
    return {
      code: "custom",
      message:
        "This is one of the passwords that are tried first. Take three or four words that do not belong together.",
    }
  return undefined
}

/** Also with another case, digits or marks at its end, and as one character over and over. */
function isCommon(password: string): boolean {
  const plain = password.toLowerCase()
  const stem = plain.replace(/[^a-z]{1,6}$/, "")
  return new Set(plain).size <= 2 || commonPasswords.has(plain) || commonPasswords.has(stem)
}
