import { Type } from "@sinclair/typebox"
import { defineJob } from "../../jobs/define.ts"

export const checkDomains = defineJob("domain.check", Type.Object({}))

/** Removes a deleted domain from the providers. Ten attempts take less than an hour, all of them more than a week. */
export const releaseDomain = defineJob("domain.release", Type.Object({ domain: Type.String() }), { attempts: 200 })
