import { mailHostOf } from "./config.ts"
import type { Engine } from "./engine.ts"
import { createMessageParser } from "./inbound/parse-thread.ts"
import type { Module } from "./module.ts"
import { createModuleHooks, type ModuleHooks } from "./module-hooks.ts"
import { createAccounts } from "./modules/accounts/index.ts"
import { createActivity } from "./modules/activity/index.ts"
import { createAlerts } from "./modules/alerts/index.ts"
import { createAnalytics } from "./modules/analytics/index.ts"
import { createAuditModule } from "./modules/audit/index.ts"
import { createBackups } from "./modules/backups/index.ts"
import { createBulk } from "./modules/bulk/index.ts"
import { createCampaigns, isCampaignCancelled } from "./modules/campaigns/index.ts"
import { createContacts } from "./modules/contacts/index.ts"
import { createDoctor } from "./modules/doctor/index.ts"
import { createDomains } from "./modules/domains/index.ts"
import { createEmails, createTemplateEmails, findEmailOf } from "./modules/emails/index.ts"
import { createEventLog, createEvents } from "./modules/events/index.ts"
import { badLinkResponse, createHosted } from "./modules/hosted/index.ts"
import { createImports } from "./modules/imports/index.ts"
import { createInbox } from "./modules/inbox/index.ts"
import { createIncoming } from "./modules/incoming/index.ts"
import { createInstance } from "./modules/instance/index.ts"
import { createNotices } from "./modules/notices/index.ts"
import { createObserve } from "./modules/observe/index.ts"
import { createOriginals, deleteOriginals, originalContent } from "./modules/originals/index.ts"
import { createProjects } from "./modules/projects/index.ts"
import { createReports } from "./modules/reports/index.ts"
import { createReputation } from "./modules/reputation/index.ts"
import { createRequests } from "./modules/requests/index.ts"
import { createRetention } from "./modules/retention/index.ts"
import { createSandbox } from "./modules/sandbox/index.ts"
import { createSegments } from "./modules/segments/index.ts"
import { createSetup } from "./modules/setup/index.ts"
import { createSubmission } from "./modules/submission/index.ts"
import { createTelemetry } from "./modules/telemetry/index.ts"
import { createTemplates } from "./modules/templates/index.ts"
import { createUploads } from "./modules/uploads/index.ts"
import { createVerification } from "./modules/verification/index.ts"
import { createWorkflows } from "./modules/workflows/index.ts"
import type { Services } from "./services.ts"

export type { Services } from "./services.ts"

interface EveryModule extends ModuleHooks {
  readonly list: () => readonly Module[]
}

/**
 * Creates every module, lower ones first, because each gets the lower modules that it calls. A lower module learns
 * about higher ones by the bus, by `engine.references`, or by a function passed here.
 */
function createAll(engine: Engine, services: Services, { list, ...hooks }: EveryModule) {
  const { config, store } = engine
  const { baseUrl, cookies, dns, files, idempotency, links, outbound, passwordCost } = services
  const { rateLimit, renderer, transports, smtpPorts, webhookOutbound } = services
  const isSandbox = config.mode === "sandbox"
  const eventLog = createEventLog(engine)
  const messageParser = createMessageParser()

  const mailHost = () => mailHostOf(config.smtp, baseUrl())
  const audit = createAuditModule(engine)
  const projects = createProjects(engine, { audit: audit.actions, ...hooks })
  const accounts = createAccounts(engine, {
    projects: projects.actions,
    audit: audit.actions,
    links,
    sessions: cookies.sessions,
    passwordCost,
    cookies,
  })
  const domains = createDomains(engine, {
    audit: audit.actions,
    accounts: accounts.actions,
    dns,
    anyDomain: isSandbox,
    mailHost,
    providers: transports.members.flatMap(({ name, identity }) => (identity ? [{ name, identity }] : [])),
    receives: !isSandbox && config.smtp.inboundPort !== 0,
    signs: transports.members.length === 0 || transports.members.some(({ identity }) => !identity),
  })
  const uploads = createUploads(engine, { files, baseUrl })
  const verification = createVerification(engine, { dns })
  const contacts = createContacts(engine, {
    record: eventLog.record,
    audit: audit.actions,
    eraseSomeOf: hooks.eraseSomeOf,
    beforeDeletion: hooks.beforeContactDeletion,
  })
  const imports = createImports(engine, { contacts: contacts.actions, files })
  const bulk = createBulk(engine, { contacts: contacts.actions, audit: audit.actions })
  const events = createEvents(engine, {
    contacts: contacts.actions,
    audit: audit.actions,
    record: eventLog.record,
    hasEmail: async (db, projectId, id) => (await findEmailOf(db, projectId, id)) !== undefined,
  })
  const templates = createTemplates(engine, {
    contacts: contacts.actions,
    domains: domains.actions,
    renderer,
    baseUrl,
    ...createTemplateEmails(engine),
  })
  const emails = createEmails(engine, {
    projects: projects.actions,
    contacts: contacts.actions,
    templates: templates.actions,
    domains: domains.actions,
    record: eventLog.record,
    renderer,
    links,
    files,
    transports,
    deleteOriginals,
    findRawContent: originalContent(store, messageParser.parse),
    isCampaignCancelled,
    badLink: badLinkResponse,
  })
  const hosted = createHosted(engine, {
    projects: projects.actions,
    contacts: contacts.actions,
    emails: emails.actions,
    links,
  })
  const originals = createOriginals(engine)
  const reports = createReports(engine, {
    emails: emails.actions,
    takeMail: (mail) => incoming.actions.takeMail(mail),
    outbound,
  })
  const incoming = createIncoming(engine, {
    domains: domains.actions,
    contacts: contacts.actions,
    emails: emails.actions,
    reports: reports.actions,
    record: eventLog.record,
    parse: messageParser.parse,
    hostname: mailHost() ?? "localhost",
  })
  const submission = createSubmission(engine, {
    projects: projects.actions,
    domains: domains.actions,
    emails: emails.actions,
    incoming: incoming.actions,
    parse: messageParser.parse,
    rateLimit,
  })
  const segments = createSegments(engine, { contacts: contacts.actions, events: eventLog })
  const campaigns = createCampaigns(engine, {
    projects: projects.actions,
    domains: domains.actions,
    emails: emails.actions,
    audiences: segments.actions.audiences,
    renderer,
    mayTest: accounts.actions.mayReceiveTests,
  })
  const workflows = createWorkflows(engine, {
    projects: projects.actions,
    contacts: contacts.actions,
    events: events.actions,
    templates: templates.actions,
    domains: domains.actions,
    emails: emails.actions,
    renderer,
    outbound: webhookOutbound,
  })
  const reputation = createReputation(engine, { projects: projects.actions })
  const notices = createNotices(engine, {
    accounts: accounts.actions,
    projects: projects.actions,
    emails: emails.actions,
  })
  const setup = createSetup({
    domains: domains.actions,
    contacts: contacts.actions,
    campaigns: campaigns.actions,
    workflows: workflows.actions,
  })
  const activity = createActivity(engine)
  const analytics = createAnalytics(engine, { activity: activity.actions, projects: projects.actions })
  const inbox = createInbox(engine, { emails: emails.actions, parser: messageParser })
  const instance = createInstance(engine, {
    idempotency,
    accounts: accounts.actions,
    audit: audit.actions,
    contacts: contacts.actions,
    emails: emails.actions,
    baseUrl,
    mailHost,
    captures: [transports.transactional, transports.bulk].every(({ name }) => name === "capture"),
    transports: transports.members,
    smtp: smtpPorts,
    state: services.state,
    machine: services.examined?.machine,
    memory: services.memory,
  })
  const backups = createBackups(engine, { audit: audit.actions, ...services.backups })
  const requests = createRequests(engine)
  const alerts = createAlerts(engine, {
    accounts: accounts.actions,
    projects: projects.actions,
    emails: emails.actions,
    transports: transports.members,
    baseUrl,
    modules: list,
  })
  const telemetry = createTelemetry(engine)
  const doctor = createDoctor(engine, {
    ...services.examined,
    domains: domains.actions,
    backups: backups.actions,
    dns,
    baseUrl,
    transports: transports.members,
  })
  const observe = createObserve(engine, { emails: emails.actions })
  const retention = createRetention(engine, { files, modules: list })
  const sandbox = isSandbox
    ? createSandbox(engine, {
        projects: projects.actions,
        contacts: contacts.actions,
        emails: emails.actions,
        incoming: incoming.actions,
        turning: services.turning,
      })
    : undefined

  // In the order of their references. Erasure begins at the end, so that rows which refer to others are deleted first.
  return {
    instance,
    audit,
    projects,
    accounts,
    domains,
    uploads,
    verification,
    contacts,
    imports,
    bulk,
    events,
    templates,
    emails,
    hosted,
    originals,
    reports,
    segments,
    campaigns,
    workflows,
    reputation,
    notices,
    setup,
    activity,
    analytics,
    inbox,
    incoming,
    submission,
    backups,
    requests,
    alerts,
    doctor,
    observe,
    telemetry,
    retention,
    ...(sandbox && { sandbox }),
  }
}

type All = ReturnType<typeof createAll>

export interface Modules {
  readonly list: readonly Module[]
  /** The actions of each module, by its name. */
  readonly actions: { readonly [Name in keyof All]: NonNullable<All[Name]>["actions"] }
}

/**
 * Creates the modules and registers their contributions with the engine; nothing is started or opened. The server and
 * the commands beside it use the same composition.
 */
export function createModules(engine: Engine, services: Services): Modules {
  const all = createAll(engine, services, { ...createModuleHooks(() => list), list: () => list })
  const list: readonly Module[] = Object.values(all)
  for (const { handlers, recurring, references } of list) {
    engine.jobs.register(handlers ?? [], recurring)
    if (references) engine.references.add(references)
  }
  // Higher modules first: a campaign cancels its own emails before the others of a disabled project are cancelled.
  for (const { subscribers } of list.toReversed()) engine.bus.subscribe(subscribers ?? [])
  const actions = Object.fromEntries(Object.entries(all).map(([name, module]) => [name, module.actions]))
  return { list, actions: actions as Modules["actions"] }
}
