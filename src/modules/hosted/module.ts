import type { Engine } from "../../engine.ts"
import type { Links } from "../../mail/links.ts"
import type { Module } from "../../module.ts"
import { createHostedActions, type HostedDeps } from "./actions.ts"
import { hostedRoutes } from "./routes.ts"

/** The pages that mail links to: unsubscribe, subscribe, manage. */
export function createHosted(
  { store }: Pick<Engine, "store">,
  { links, ...deps }: Omit<HostedDeps, "store"> & { readonly links: Links },
) {
  const actions = createHostedActions({ store, ...deps })
  return { name: "hosted", actions, routes: (protect) => hostedRoutes(actions, links, protect) } satisfies Module
}
