import type { Refused } from "./types.ts"

/** A reply line whose text brings its own enhanced status code (RFC 3463). */
export interface Reply {
  readonly code: number
  readonly text: string
}

export const replyOf = (refusal: Refused): Reply => ({
  code: refusal.code,
  text: `${refusal.enhanced} ${refusal.text}`,
})

/** Tells a text that brings its own code from those the package words. */
export const hasOwnStatus = (text: string): boolean => /^[245]\.\d{1,3}\.\d{1,3} /.test(text)
