import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import type { Accounts } from "../accounts/index.ts"
import { createDomainActions, type DomainDeps } from "./actions.ts"
import { createDomainJobs } from "./jobs.ts"
import { domainRoutes } from "./routes.ts"

/** Sender domains: which addresses a project may send from. */
export function createDomains(
  engine: Pick<Engine, "store" | "clock" | "ids" | "log" | "secret" | "references" | "jobs" | "config">,
  {
    accounts,
    ...deps
  }: Omit<DomainDeps, "isOperators"> & { readonly accounts: Pick<Accounts, "isMember" | "isOperators"> },
) {
  const actions = createDomainActions(engine, { ...deps, isOperators: accounts.isOperators })
  return {
    name: "domains",
    actions,
    routes: (protect) => domainRoutes(actions, accounts, protect),
    beforeDeletion: actions.removeAll,
    ...createDomainJobs(actions, engine.config.domains.checkMs),
  } satisfies Module
}
