import type { Kind } from "./kinds.ts"

/** One setting: how its value is read, its default, and its text in the example file. */
export interface Setting<T> {
  readonly kind: Kind<T>
  readonly fallback: Fallback<T>
  /** Shown in the example file when there is no default. */
  readonly example?: string | number
  /** One sentence or more. A line that begins with a space is kept as it is, other text is wrapped. */
  readonly doc: string
}

/** A value, with a different one in the sandbox if needed; or the value of an earlier setting. */
type Fallback<T> = { readonly value: T; readonly sandbox?: T } | { readonly follows: string }

export const setting = <T>(kind: Kind<T>, value: NoInfer<T>, doc: string, sandbox?: NoInfer<T>): Setting<T> => ({
  kind,
  fallback: sandbox === undefined ? { value } : { value, sandbox },
  doc,
})

/** Null when it is not set; `doc` explains the meaning. */
export const optional = <T>(kind: Kind<T>, example: string | number, doc: string): Setting<T | null> => ({
  kind,
  fallback: { value: null },
  example,
  doc,
})

export const following = <T>(path: string, kind: Kind<T>, example: string, doc: string): Setting<T> => ({
  kind,
  fallback: { follows: path },
  example,
  doc,
})
