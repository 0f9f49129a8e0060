import { reasonOf } from "../../../kernel/log.ts"
import type { ReleaseTrust } from "../../../kernel/release.ts"
import { fetchManifest } from "../../../net/release/fetch.ts"
import { isNewer, openManifest } from "../../../net/release/manifest.ts"
import { type Check, clause, ok, warn } from "../check.ts"

/** This program, as far as releases concern it. */
export interface RunningRelease {
  readonly version: string
  readonly trust: Pick<ReleaseTrust, "key">
}

/** Whether there is a newer release at `update.url`, by its signed manifest. */
export const releaseCheck = (url: string | null, { version, trust: { key } }: RunningRelease): Check => ({
  name: "newest release",
  async run(abort) {
    if (url === null) return ok("It is not known, because update.url is not set.")
    if (key === null) return warn("It is not known: this program was built without a key that verifies update.url.")
    try {
      const newest = openManifest(await fetchManifest(url, abort), key).version
      if (isNewer(newest, version)) return warn(`${newest} is there; this is ${version}: run mailstead update.`)
      return ok(`${version} is the newest one.`)
    } catch (cause) {
      return warn(`It is not known (${clause(reasonOf(cause))}): look at update.url.`)
    }
  },
})
