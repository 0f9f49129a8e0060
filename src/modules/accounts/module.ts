import type { Module } from "../../module.ts"
import { type AccountDeps, createAccountActions } from "./actions.ts"
import { accountRoutes } from "./routes.ts"

/** Accounts: who may see what. The sandbox has one built-in owner of everything. */
export function createAccounts(deps: AccountDeps) {
  const actions = createAccountActions(deps)
  return { name: "accounts", actions, routes: (protect) => accountRoutes(actions, protect) } satisfies Module
}
