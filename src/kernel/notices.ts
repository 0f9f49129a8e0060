/** A package inside the executable, or the runtime, whose licence terms must be distributed with it. */
export interface Notice {
  readonly name: string
  readonly version: string
  /** The SPDX expression that the package declares. */
  readonly license: string
  /** The full licence text. */
  readonly text: string
}

/** Defined by `config/build.ts`; absent when the program runs from its sources. */
declare const MAILSTEAD_NOTICES: readonly Notice[] | undefined

/**
 * The packages inside this executable; undefined when the program runs from its sources, where each package has its own
 * licence file.
 */
export const notices: readonly Notice[] | undefined =
  typeof MAILSTEAD_NOTICES === "object" ? MAILSTEAD_NOTICES : undefined
