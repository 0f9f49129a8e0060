import type { Engine } from "../../engine.ts"
import type { Links } from "../../mail/links.ts"
import type { Renderer } from "../../mail/render/index.ts"
import type { Transports } from "../../mail/transports.ts"
import type { Files } from "../../store/files.ts"
import type { Unit } from "../../store/writer.ts"
import type { Contacts } from "../contacts/index.ts"
import type { Domains } from "../domains/index.ts"
import type { RecordEvent } from "../events/index.ts"
import type { Projects } from "../projects/index.ts"
import type { Templates } from "../templates/index.ts"
import { createMailAcceptor } from "./accept/accept.ts"
import { createBulkEnqueuer } from "./accept/bulk.ts"
import { createSend } from "./accept/send.ts"
import { createSystemMailer } from "./accept/system-mail.ts"
import { createTemplateMailer } from "./accept/template-mail.ts"
import { createTemplateTester } from "./accept/template-test.ts"
import { createTestEmailSender } from "./accept/test-email.ts"
import { createCampaignEmails } from "./cancel/campaign-emails.ts"
import { createDisabling } from "./cancel/disabled.ts"
import { createContentWriter } from "./content/content.ts"
import { createDrafts } from "./content/drafts.ts"
import { createEmailErasure, type DeleteOriginals } from "./deletion/erase.ts"
import { createEmailSweeps } from "./deletion/sweeps.ts"
import { createUnusedContentSweep } from "./deletion/unused-content.ts"
import { createBegun } from "./delivery/begun.ts"
import { createMailClaimer } from "./delivery/claim.ts"
import { createDelivery } from "./delivery/delivery.ts"
import { createThrottle } from "./delivery/throttle.ts"
import { countSentByProject, createEmailCounts } from "./figures/counts.ts"
import { findEmail } from "./ledger.ts"
import { createMailEvents } from "./outcome/mail-events.ts"
import { createOutcomeRecorder, type IsCampaignCancelled } from "./outcome/outcome.ts"
import { createReport } from "./outcome/report.ts"
import { findReported, type ReportedMail } from "./outcome/reported.ts"
import { createEmailIndexing } from "./search/jobs.ts"
import type { Email } from "./table.ts"
import { saveUnsubscribed } from "./tracking/hit-store.ts"
import { createHitWriter } from "./tracking/hit-writer.ts"
import { createHitCount, createHitCounter, createHitRecorder } from "./tracking/hits.ts"
import { createLinkStore } from "./tracking/links.ts"
import { createExecutionEmails } from "./view/execution-emails.ts"
import { createEmailViews, type FindRawContent } from "./view/view.ts"

export interface EmailDeps {
  /** For the tracking setting of a project. */
  readonly projects: Pick<Projects, "find">
  readonly contacts: Contacts
  readonly templates: Templates
  readonly domains: Domains
  readonly record: RecordEvent
  readonly renderer: Renderer
  readonly links: Links
  readonly files: Files
  readonly transports: Pick<Transports, "transactional" | "bulk">
  /** Provided by the module that stores whole messages. */
  readonly findRawContent: FindRawContent
  /** Provided by the same module: deletes the whole messages of emails that are about to be deleted. */
  readonly deleteOriginals: DeleteOriginals
  /** Provided by campaigns. */
  readonly isCampaignCancelled: IsCampaignCancelled
}

export type EmailEngine = Pick<
  Engine,
  "store" | "ids" | "bus" | "jobs" | "clock" | "realClock" | "log" | "random" | "metrics" | "config"
>

/** The actions of emails, and the parts that the module registers elsewhere. */
export function createEmailActions(engine: EmailEngine, deps: EmailDeps) {
  const { contacts, record, renderer, links, files, isCampaignCancelled } = deps
  const stored = createLinkStore(engine)
  const drafts = createDrafts({ ...engine, projects: deps.projects, renderer, links, files, stored })
  const events = createMailEvents(record)
  const recordHit = createHitRecorder(events)
  const countHit = createHitCount({ ...engine, record: recordHit, links: stored })
  const hits = createHitWriter(engine, countHit)
  const begun = createBegun(engine)
  const outcome = createOutcomeRecorder({ ...engine, ...deps, events, begun })
  const claimer = createMailClaimer({ ...engine, begun, outcome, isCampaignCancelled })
  const perProject = createThrottle(engine.config.limits.emailsPerSecond, engine.realClock)
  const delivery = createDelivery(engine, deps.transports, {
    ...engine,
    sendings: deps.domains.sendings,
    projects: deps.projects,
    links,
    drafts,
    begun,
    claimer,
    outcome,
    perProject,
  })
  const contents = createContentWriter(engine)
  const ledger = { ...engine, renderer, links, saveContent: contents.save, wake: delivery.wake }
  const acceptor = createMailAcceptor(ledger)
  const sendTest = createTestEmailSender(ledger)
  const actions = {
    delivery,
    /** Stores one message in the caller's unit. */
    accept: acceptor.accept,
    ...createTemplateMailer({ renderer, acceptor }),
    ...createExecutionEmails(drafts),
    ...createBulkEnqueuer(ledger),
    ...createCampaignEmails({ ...engine, begun }),
    ...createEmailCounts({ ...engine, lastSentAt: outcome.lastSentAt }),
    /** The number of sent mails of each project. Reads all mails, off the event loop. */
    async countSent(): Promise<ReadonlyMap<string, number>> {
      const rows = await engine.store.readPool.read("instance", countSentByProject)
      return new Map(rows.map(({ projectId, sent }) => [projectId, sent]))
    },
    /** Stores a message of the service itself in the caller's unit. */
    acceptSystem: createSystemMailer(ledger),
    sendTest,
    sendTemplateTest: createTemplateTester({ ...engine, ...deps, sendTest }),
    send: createSend({ ...engine, ...deps, acceptor }),
    ...createDisabling({ ...engine, begun }),
    report: createReport({ ...engine, contacts, events, recordHit }),
    /** The message that a provider names; undefined when there is none. */
    findReported: (named: ReportedMail): Promise<Email | undefined> => findReported(engine.store.read, named),
    /** Records that the recipient unsubscribed by a link of this message. */
    recordUnsubscribe: saveUnsubscribed,
    /** The recipient of a message; undefined when the message is deleted. */
    addressOf: async (unit: Unit, id: string): Promise<string | undefined> => (await findEmail(unit.db, id))?.to,
    /** The events of messages that were not delivered by a transport. */
    events,
    ...createEmailViews(engine, drafts, deps.findRawContent),
  }
  const erasure = createEmailErasure({ ...engine, ...deps, contents, stored })
  return {
    actions,
    begun,
    stored,
    hits,
    erasure,
    indexing: createEmailIndexing(engine),
    sweeps: [...createEmailSweeps(engine.config.retention), createUnusedContentSweep(engine)],
    hitCounter: createHitCounter(countHit),
  }
}

export type Emails = ReturnType<typeof createEmailActions>["actions"]
