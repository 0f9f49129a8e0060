/** How a provider judged who sent a message, and what is in it; null where it does not say. */
export interface ProviderVerdicts {
  readonly spam: string | null
  readonly virus: string | null
  readonly spf: string | null
  readonly dkim: string | null
  readonly dmarc: string | null
  readonly arc: string | null
}

export const noVerdicts: ProviderVerdicts = { spam: null, virus: null, spf: null, dkim: null, dmarc: null, arc: null }

/** A message that a provider has received for us (contract B9.2.6). */
export interface ProvidedMail {
  /** What the provider repeats this very message under; unique among all providers. */
  readonly key: string
  /** The message, which some providers send in parts. @throws {DomainError} for parts that make no message */
  raw(): Uint8Array
  /** Empty for the null sender. */
  readonly mailFrom: string
  readonly recipients: readonly string[]
  readonly verdicts: ProviderVerdicts
}
