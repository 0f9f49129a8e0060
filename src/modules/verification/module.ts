import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import { createVerificationActions, type VerificationDeps } from "./actions.ts"
import { createLists } from "./lists.ts"
import { verificationRoutes } from "./routes.ts"

/** Verification: checks of an email address without sending mail to it. */
export function createVerification({ config }: Pick<Engine, "config">, { dns }: Pick<VerificationDeps, "dns">) {
  const actions = createVerificationActions({ dns, lists: createLists(config.verification) })
  return { name: "verification", actions, routes: (protect) => verificationRoutes(actions, protect) } satisfies Module
}
