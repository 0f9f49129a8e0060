/** A package inside the executable, or the runtime, under terms that ask to be passed on with it. */
export interface Notice {
  readonly name: string
  readonly version: string
  /** As the package names it: an SPDX expression. */
  readonly license: string
  /** The terms in full. */
  readonly text: string
}

/** Put in by `config/build.ts`; absent when the program runs from its sources. */
declare const MAILSTEAD_NOTICES: readonly Notice[] | undefined

/** The packages inside this executable; undefined where they lie beside the sources, each with its own terms. */
export const notices: readonly Notice[] | undefined =
  typeof MAILSTEAD_NOTICES === "object" ? MAILSTEAD_NOTICES : undefined
