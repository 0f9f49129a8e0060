import type { Engine } from "../../engine.ts"
import type { Links } from "../../mail/links.ts"
import type { Contacts } from "../contacts/index.ts"
import type { Emails } from "../emails/index.ts"
import type { Projects } from "../projects/index.ts"
import { hostedActions } from "./actions.ts"
import { hostedRoutes } from "./routes.ts"

export { badLinkResponse } from "./routes.ts"

export interface HostedPorts {
  readonly projects: Pick<Projects, "get">
  readonly contacts: Pick<Contacts, "setSubscribedIn">
  readonly emails: Pick<Emails, "recordUnsubscribe">
  readonly links: Links
}

/** The pages recipients reach from their mail: leave, come back, choose. */
export const hosted = (engine: Pick<Engine, "store">, { links, ...ports }: HostedPorts) => ({
  routes: hostedRoutes(links, hostedActions({ ...engine, ...ports })),
})
