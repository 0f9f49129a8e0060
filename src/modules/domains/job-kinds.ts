import { Type } from "@sinclair/typebox"
import { defineJob } from "../../jobs/define.ts"

export const checkDomains = defineJob("domain.check", Type.Object({}))

/** Takes a deleted domain off the providers. */
export const releaseDomain = defineJob("domain.release", Type.Object({ domain: Type.String() }))
