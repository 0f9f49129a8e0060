import { version as packageVersion } from "../../package.json" with { type: "json" }

/** Put in by `config/build.ts`; absent when the program runs from its sources. */
declare const POSTHORN_VERSION: string | undefined
declare const POSTHORN_COMMIT: string | undefined

/** Which Posthorn this is: the version of the package and the commit it was built from, `dev` when it was not built. */
export const buildInfo: { readonly version: string; readonly commit: string } = Object.freeze({
  version: typeof POSTHORN_VERSION === "string" ? POSTHORN_VERSION : packageVersion,
  commit: typeof POSTHORN_COMMIT === "string" ? POSTHORN_COMMIT : "dev",
})
