import { Elysia } from "elysia"
import { createRememberedAnswers } from "../../http/remembered.ts"
import type { Module } from "../../module.ts"
import { limitLeases } from "../../store/lease.ts"
import { isSendingPaused } from "../../store/sending-pause.ts"
import { createEmailActions, type EmailDeps, type EmailEngine } from "./actions.ts"
import { disablingReaction, endWhenDisabled } from "./cancel/disabled.ts"
import { correctDueTimes } from "./clock-correction.ts"
import { leaseMs } from "./delivery/transport-queue.ts"
import { queueAlertStates } from "./figures/alert-states.ts"
import { isHeld } from "./ledger.ts"
import { emailRoutes, sendRoutes, templateTestRoutes } from "./routes.ts"
import { emailTable } from "./table.ts"
import { trackingRoutes } from "./tracking/routes.ts"
import { emailBrowserRoutes } from "./view/browser-routes.ts"

interface EmailModuleDeps extends EmailDeps {
  /** The page for an invalid tracked link: status 404. */
  readonly badLink: (request: Request) => Response
}

/**
 * Emails: the ledger of every message, the actions that add to it, and the delivery. By the life of a message: `accept`
 * puts it into the ledger, `content` keeps what it is composed from, `delivery` claims it and hands it over, `outcome`
 * records receipts and the reports of providers, `tracking` opens and clicks, `cancel` ends what may no longer leave,
 * `view`, `search` and `figures` read the ledger, and `deletion` removes from it.
 */
export function createEmails(engine: EmailEngine, { badLink, ...deps }: EmailModuleDeps) {
  const { actions, begun, stored, hits, hitCounter, erasure, indexing, sweeps } = createEmailActions(engine, deps)
  const { attachments: count, attachmentBytes: bytes } = engine.config.limits
  return {
    name: "emails",
    actions,
    routes: (protect) =>
      new Elysia()
        .use(sendRoutes(actions, protect, { count, bytes }))
        .use(templateTestRoutes(actions, protect))
        .use(emailRoutes(actions, protect, createRememberedAnswers(engine.store)))
        .use(trackingRoutes({ links: deps.links, stored, hits, badLink }))
        .use(emailBrowserRoutes(actions, protect)),
    subscribers: [hitCounter, disablingReaction({ ...engine, begun })],
    disable: endWhenDisabled({ ...engine, begun }),
    clockCorrections: [correctDueTimes, limitLeases(emailTable, () => leaseMs, isHeld)],
    alertStates: async () => queueAlertStates(await actions.queues(), isSendingPaused(engine.store.folder)),
    worker: actions.delivery,
    sweeps,
    ...indexing,
    ...erasure,
  } satisfies Module
}
