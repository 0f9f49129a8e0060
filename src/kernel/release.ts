/** Defined by `config/build.ts`; absent when the program runs from its sources. */
declare const MAILSTEAD_PLATFORM: string | undefined
declare const MAILSTEAD_RELEASE_KEY: string | null | undefined

/** What an executable knows of the releases that may replace it. */
export interface ReleaseTrust {
  /** The name of its archives, such as `linux-x64-musl`; null when the program runs from its sources. */
  readonly platform: string | null
  /** The Ed25519 public key of its releases, DER in base64; null in a build without a signing key. */
  readonly key: string | null
}

export const releaseTrust: ReleaseTrust = Object.freeze({
  platform: typeof MAILSTEAD_PLATFORM === "string" ? MAILSTEAD_PLATFORM : null,
  key: typeof MAILSTEAD_RELEASE_KEY === "string" ? MAILSTEAD_RELEASE_KEY : null,
})
