import type { Engine } from "../../engine.ts"
import type { Links } from "../../mail/links.ts"
import type { Renderer } from "../../mail/render/index.ts"
import type { Files } from "../../store/files.ts"
import type { Unit } from "../../store/writer.ts"
import type { Contacts } from "../contacts/index.ts"
import type { Domains } from "../domains/index.ts"
import type { RecordEvent } from "../events/index.ts"
import type { Projects } from "../projects/index.ts"
import type { Templates } from "../templates/index.ts"
import { createMailAcceptor } from "./accept.ts"
import { createBulkEnqueuer } from "./bulk.ts"
import { createCampaignEmails } from "./campaign-emails.ts"
import { createMailClaimer } from "./claim.ts"
import { createContentWriter } from "./content.ts"
import { createDelivery, type Ways } from "./delivery.ts"
import { disablingReaction } from "./disabled.ts"
import { createDrafts } from "./drafts.ts"
import { findEmail } from "./ledger.ts"
import { createMailEvents } from "./mail-events.ts"
import { createOutcomeRecorder, type IsCampaignCancelled } from "./outcome.ts"
import { createReport } from "./report.ts"
import type { Lane } from "./rules.ts"
import { createSend } from "./send.ts"
import { createTestEmailSender } from "./test-email.ts"
import { createThrottle } from "./throttle.ts"
import { saveUnsubscribed } from "./tracking/hit-store.ts"
import { createHitWriter } from "./tracking/hit-writer.ts"
import { createHitCounter, createHitRecorder } from "./tracking/hits.ts"
import { createLinkStore } from "./tracking/links.ts"
import { trackingRoutes } from "./tracking/routes.ts"
import { createTracker } from "./tracking/tracker.ts"
import { type ContentElsewhere, createEmailViews } from "./view.ts"

export { emailBrowserRoutes } from "./browser-routes.ts"
export type { Addressee, BulkMessage, PreparedBulkMessage } from "./bulk.ts"
export { insertEmail } from "./ledger.ts"
export { findEmailOf } from "./list.ts"
export { newEmail } from "./new-email.ts"
export { emailChanged, emailEnded, emailSent, type IsCampaignCancelled } from "./outcome.ts"
export type { Report } from "./report.ts"
export { emailRoutes, sendRoute } from "./routes.ts"
export { apiSource, type EmailSource, lanes, systemSource } from "./rules.ts"
export { type Email, emailTable } from "./table.ts"
export { mailOfTemplates } from "./template-use.ts"
export type { EmailContent } from "./wire.ts"

export interface EmailDeps {
  /** Whether a project wants its mail tracked. */
  readonly projects: Pick<Projects, "find">
  readonly contacts: Contacts
  readonly templates: Templates
  readonly domains: Domains
  readonly record: RecordEvent
  readonly renderer: Renderer
  readonly links: Links
  readonly files: Files
  readonly transports: Ways
  /** Messages per second and project; 0 is no limit. */
  readonly perSecond: number
  readonly contentElsewhere: ContentElsewhere
  /** What only campaigns know. */
  readonly isCancelled: IsCampaignCancelled
}

/** Emails: the ledger of every message, the verbs that fill it, and the delivery that empties it. */
export function emails(engine: Pick<Engine, "store" | "ids" | "bus" | "clock" | "log">, deps: EmailDeps) {
  const { contacts, record, renderer, links, files, isCancelled } = deps
  const stored = createLinkStore(engine)
  const track = createTracker({ projects: deps.projects, links, stored })
  const drafts = createDrafts({ ...engine, renderer, links, files, track })
  const events = createMailEvents(record)
  const recordHit = createHitRecorder(events)
  const hits = createHitWriter(engine)
  const outcome = createOutcomeRecorder({ ...engine, events, isCancelled })
  const claim = createMailClaimer(outcome, isCancelled)
  const perProject = createThrottle(deps.perSecond, engine.clock)
  const delivery = createDelivery(engine, deps.transports, { ...engine, drafts, claim, outcome, perProject })
  const ledger = {
    ...engine,
    renderer,
    links,
    saveContent: createContentWriter(),
    wake: (lane: Lane) => delivery.wake(lane),
  }
  const acceptor = createMailAcceptor(ledger)
  return {
    delivery,
    /** Stores one message in the unit of its cause. */
    accept: acceptor.accept,
    /** The same for one circular to many contacts. */
    ...createBulkEnqueuer(ledger),
    ...createCampaignEmails(engine),
    sendTest: createTestEmailSender(ledger),
    send: createSend({ ...engine, ...deps, acceptor }),
    report: createReport({ ...engine, contacts, events, recordHit }),
    /** Notes that the recipient left by a link of this message. */
    recordUnsubscribe: saveUnsubscribed,
    /** Where tracked messages lead to; `badLink` answers 404 to those who follow what is no link of ours. */
    trackingRoutes: (badLink: (request: Request) => Response) => trackingRoutes({ links, stored, hits, badLink }),
    /** Resolves when the hits that were answered are on disk. */
    hitsStored: hits.settled,
    subscribers: [createHitCounter({ ...engine, record: recordHit, links: stored }), disablingReaction(engine.bus)],
    /** Whom a message goes to, or undefined when it is gone. */
    addressOf: async (unit: Unit, id: string): Promise<string | undefined> => (await findEmail(unit.db, id))?.to,
    /** The events of a message that did not pass through the delivery. */
    events,
    ...createEmailViews(engine, drafts, deps.contentElsewhere),
  }
}

export type Emails = ReturnType<typeof emails>
