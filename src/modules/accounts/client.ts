import type { SignedIn } from "../../http/auth.ts"

/** The client of a request that concerns an account. */
export interface Client {
  /** The peer's address, or `unknown`. */
  readonly address: string
  readonly userAgent: string
  /** Whether the request comes from this machine without a proxy, so that its user is the person at the keyboard. */
  readonly isLocal: boolean
  /** The device cookie of the request, which a successful sign-in sets. */
  readonly device: string | undefined
  /** The best supported language that the browser accepts. */
  readonly language: string
}

/** The acting user with the address of the client. */
export type ActingUser = SignedIn & { readonly address: string }
