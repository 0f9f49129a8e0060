import { createHash, timingSafeEqual } from "node:crypto"
import { DomainError } from "../kernel/errors.ts"
import { HttpRefusal } from "./envelope.ts"

/** A user and a password that a program sends with each request (RFC 7617). */
export interface Credentials {
  readonly user: string
  readonly password: string
}

/** Whether the Authorization header has these credentials, compared in constant time. */
export function hasCredentials(header: string | null, { user, password }: Credentials): boolean {
  const [, encoded = ""] = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(header ?? "") ?? []
  const digest = (text: Buffer) => createHash("sha256").update(text).digest()
  return timingSafeEqual(digest(Buffer.from(encoded, "base64")), digest(Buffer.from(`${user}:${password}`)))
}

/** The refusal of other credentials; `whose` completes its sentence. */
export const noCredentials = (whose: string): DomainError =>
  new HttpRefusal(new DomainError("unauthorized", "UNAUTHORIZED", `User and password are not those of ${whose}.`), {
    "WWW-Authenticate": 'Basic realm="Mailstead"',
  })
