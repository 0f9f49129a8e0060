import type { Refused } from "./types.ts"

/** A reply line whose text has an enhanced status code (RFC 3463). */
export interface Reply {
  readonly code: number
  readonly text: string
}

export const replyOf = (refusal: Refused): Reply => ({
  code: refusal.code,
  text: `${refusal.enhanced} ${refusal.text}`,
})

/** Whether a text has its own code, in contrast to those of the package. */
export const hasOwnStatus = (text: string): boolean => /^[245]\.\d{1,3}\.\d{1,3} /.test(text)
