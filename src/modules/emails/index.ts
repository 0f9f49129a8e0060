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
import { mailAcceptor } from "./accept.ts"
import { campaignMail } from "./campaign-mail.ts"
import { mailClaimer } from "./claim.ts"
import { contentKeeper } from "./content.ts"
import { createDelivery, type Ways } from "./delivery.ts"
import { disablingReaction } from "./disabled.ts"
import { createDrafts } from "./drafts.ts"
import { bulkEnqueuer } from "./enqueue.ts"
import { findEmail } from "./ledger.ts"
import { mailEvents } from "./mail-events.ts"
import { type IsHalted, outcomeRecorder } from "./outcome.ts"
import { reportAction } from "./report.ts"
import type { Lane } from "./rules.ts"
import { sendAction } from "./send.ts"
import { createThrottle } from "./throttle.ts"
import { saveLeft } from "./tracking/hit-store.ts"
import { hitWriter } from "./tracking/hit-writer.ts"
import { hitCounter, hitRecorder } from "./tracking/hits.ts"
import { linkStore } from "./tracking/links.ts"
import { trackingRoutes } from "./tracking/routes.ts"
import { tracker } from "./tracking/tracker.ts"
import { trialSender } from "./trial.ts"
import { type ContentElsewhere, emailViews } from "./view.ts"

export { emailBrowserRoutes } from "./browser-routes.ts"
export type { Addressee, Circular, PreparedCircular } from "./enqueue.ts"
export { insertEmail, type NewEmail } from "./ledger.ts"
export { findEmailOf } from "./list.ts"
export { emailChanged, emailEnded, emailSent, type IsHalted } from "./outcome.ts"
export type { Report } from "./report.ts"
export { emailRoutes, sendRoute } from "./routes.ts"
export { lanes } from "./rules.ts"
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
  readonly ways: Ways
  /** Messages per second and project; 0 is no limit. */
  readonly perSecond: number
  readonly contentElsewhere: ContentElsewhere
  /** What only campaigns know. */
  readonly isHalted: IsHalted
}

/** Emails: the ledger of every message, the verbs that fill it, and the delivery that empties it. */
export function emails(engine: Pick<Engine, "store" | "ids" | "bus" | "clock" | "log">, deps: EmailDeps) {
  const { contacts, record, renderer, links, files, isHalted } = deps
  const stored = linkStore(engine)
  const track = tracker({ projects: deps.projects, links, stored })
  const drafts = createDrafts({ ...engine, renderer, links, files, track })
  const events = mailEvents(record)
  const recordHit = hitRecorder(events)
  const hits = hitWriter(engine)
  const outcome = outcomeRecorder({ ...engine, events, isHalted })
  const claim = mailClaimer(outcome, isHalted)
  const perProject = createThrottle(deps.perSecond, engine.clock)
  const delivery = createDelivery(engine, deps.ways, { ...engine, drafts, claim, outcome, perProject })
  const ledger = { ...engine, renderer, links, keep: contentKeeper(), wake: (lane: Lane) => delivery.wake(lane) }
  const acceptor = mailAcceptor(ledger)
  return {
    delivery,
    /** Stores one message in the unit of its cause. */
    accept: acceptor.accept,
    /** The same for one circular to many contacts. */
    ...bulkEnqueuer(ledger),
    ...campaignMail(engine),
    sendTrial: trialSender(ledger),
    send: sendAction({ ...engine, ...deps, acceptor }),
    report: reportAction({ ...engine, contacts, events, recordHit }),
    /** Notes that the recipient left by a link of this message. */
    noteLeft: saveLeft,
    /** Where tracked messages lead to; `badLink` answers 404 to those who follow what is no link of ours. */
    trackingRoutes: (badLink: (request: Request) => Response) => trackingRoutes({ links, stored, hits, badLink }),
    /** Resolves when the hits that were answered are on disk. */
    hitsStored: hits.settled,
    subscribers: [hitCounter({ ...engine, record: recordHit, links: stored }), disablingReaction(engine.bus)],
    /** Whom a message goes to, or undefined when it is gone. */
    addressOf: async (unit: Unit, id: string): Promise<string | undefined> => (await findEmail(unit.db, id))?.to,
    /** The events of a message that did not pass through the delivery. */
    events,
    ...emailViews(engine, drafts, deps.contentElsewhere),
  }
}

export type Emails = ReturnType<typeof emails>
