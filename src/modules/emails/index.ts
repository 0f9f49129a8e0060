import type { Engine } from "../../engine.ts"
import type { Links } from "../../mail/links.ts"
import type { Renderer } from "../../mail/render/index.ts"
import type { Files } from "../../store/files.ts"
import type { Unit } from "../../store/writer.ts"
import type { Contacts } from "../contacts/index.ts"
import type { Domains } from "../domains/index.ts"
import type { RecordEvent } from "../events/index.ts"
import type { Templates } from "../templates/index.ts"
import { mailAcceptor } from "./accept.ts"
import { createDelivery, type Ways } from "./delivery.ts"
import { createDrafts } from "./drafts.ts"
import { findEmail } from "./ledger.ts"
import { mailEvents } from "./mail-events.ts"
import { outcomeRecorder } from "./outcome.ts"
import { reportAction } from "./report.ts"
import type { Lane } from "./rules.ts"
import { sendAction } from "./send.ts"
import { createThrottle } from "./throttle.ts"
import { type ContentElsewhere, emailViews } from "./view.ts"

export { emailBrowserRoutes } from "./browser-routes.ts"
export { insertEmail, type NewEmail } from "./ledger.ts"
export { emailChanged, emailSent } from "./outcome.ts"
export type { Report } from "./report.ts"
export { emailRoutes, sendRoute } from "./routes.ts"
export { lanes } from "./rules.ts"
export { type Email, emailTable } from "./table.ts"
export { mailOfTemplates } from "./template-use.ts"
export type { EmailContent } from "./wire.ts"

export interface EmailDeps {
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
}

/** Emails: the ledger of every message, the verbs that fill it, and the delivery that empties it. */
export function emails(engine: Pick<Engine, "store" | "ids" | "bus" | "clock" | "log">, deps: EmailDeps) {
  const { contacts, record, renderer, links, files } = deps
  const drafts = createDrafts({ ...engine, renderer, links, files })
  const events = mailEvents(record)
  const outcome = outcomeRecorder(engine, events)
  const perProject = createThrottle(deps.perSecond, engine.clock)
  const delivery = createDelivery(engine, deps.ways, { ...engine, drafts, outcome, perProject })
  const accept = mailAcceptor({ ...engine, renderer, links, wake: (lane: Lane) => delivery.wake(lane) })
  return {
    delivery,
    /** Stores one message in the unit of its cause. */
    accept,
    send: sendAction({ ...engine, ...deps, accept }),
    report: reportAction({ ...engine, contacts, events }),
    /** Whom a message goes to, or undefined when it is gone. */
    addressOf: async (unit: Unit, id: string): Promise<string | undefined> => (await findEmail(unit.db, id))?.to,
    /** The events of a message that did not pass through the delivery. */
    events,
    ...emailViews(engine, drafts, deps.contentElsewhere),
  }
}

export type Emails = ReturnType<typeof emails>
