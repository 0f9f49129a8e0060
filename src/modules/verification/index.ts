import type { Engine } from "../../engine.ts"
import type { Dns } from "../../net/dns.ts"
import { verificationActions } from "./actions.ts"
import { createLists } from "./lists.ts"

export type { Verified } from "./actions.ts"
export { verifyRoute } from "./routes.ts"

/** Verification: what can be told of an email address without writing to it. */
export const verification = ({ config }: Pick<Engine, "config">, dns: Dns) =>
  verificationActions({ dns, lists: createLists(config.verification) })
export type Verification = ReturnType<typeof verification>
