import type { SignedIn } from "../../http/auth.ts"

/** Who is on the other end of a request that concerns an account. */
export interface Client {
  /** The peer's address; `unknown` where there is none. */
  readonly address: string
  readonly userAgent: string
  /** Peer and `Host` are both this machine, and no proxy is between: the person at its keyboard. */
  readonly isLocal: boolean
  /** The device cookie of the request, which a successful sign-in leaves behind. */
  readonly device: string | undefined
  /** The best of the languages that the browser asks for and we have. */
  readonly language: string
}

/** A user who acts, with where they do it from. */
export type ActingUser = SignedIn & { readonly address: string }
