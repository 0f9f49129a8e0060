import { version as packageVersion } from "../../package.json" with { type: "json" }

/** Defined by `config/build.ts`; absent when the program runs from its sources. */
declare const MAILSTEAD_VERSION: string | undefined
declare const MAILSTEAD_COMMIT: string | undefined

/**
 * The identity of this build: the version of the package, the commit it was built from, `dev` when it was not built,
 * and the version of Bun that it runs on.
 */
export const buildInfo: { readonly version: string; readonly commit: string; readonly bun: string } = Object.freeze({
  version: typeof MAILSTEAD_VERSION === "string" ? MAILSTEAD_VERSION : packageVersion,
  bun: Bun.version,
  commit: typeof MAILSTEAD_COMMIT === "string" ? MAILSTEAD_COMMIT : "dev",
})
