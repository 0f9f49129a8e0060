import type { Engine } from "./engine.ts"
import type { Role } from "./http/auth.ts"
import type { Links } from "./mail/links.ts"
import type { Renderer } from "./mail/render/index.ts"
import type { Transports } from "./mail/transports.ts"
import { accounts } from "./modules/accounts/index.ts"
import { type Campaigns, campaigns, isCampaignCancelled } from "./modules/campaigns/index.ts"
import { contactBulk, contactImports, contacts } from "./modules/contacts/index.ts"
import { domains } from "./modules/domains/index.ts"
import { emails, findEmailOf, mailOfTemplates } from "./modules/emails/index.ts"
import { alikeRecorder, eventRecorder, events } from "./modules/events/index.ts"
import { hosted } from "./modules/hosted/index.ts"
import { presentProject, projectDisabled, projects } from "./modules/projects/index.ts"
import * as sandbox from "./modules/sandbox/index.ts"
import { segments, segmentsNamingEvent, segmentsNamingField } from "./modules/segments/index.ts"
import { templates } from "./modules/templates/index.ts"
import { verification } from "./modules/verification/index.ts"
import type { Dns } from "./net/dns.ts"
import type { Files } from "./store/files.ts"

/** What the rooms have of the machine room beside the engine. */
export interface Services {
  readonly baseUrl: () => string
  readonly dns: Dns
  readonly files: Files
  readonly links: Links
  readonly renderer: Renderer
  readonly transports: Transports
}

/**
 * The rooms, up the stair, and the wires between them: a room is given what it calls on lower stairs, and as a function
 * what a lower room needs to know of a higher one. News for higher stairs goes by the bus.
 */
export function createModules(engine: Engine, machines: Services) {
  const { config, clock, store, bus, jobs } = engine
  const { baseUrl, dns, files, links, renderer, transports } = machines
  const isSandbox = config.mode === "sandbox"

  const tenants = projects(engine, { disabled: (unit, id) => bus.emit(unit, projectDisabled, id, { at: unit.now }) })
  const shown = async (role: Role) => (await tenants.list()).map((project) => presentProject(project, role))
  const people = accounts({ find: tenants.find, shown }, { builtIn: isSandbox, since: clock.now() })
  const senders = domains(engine, { anyDomain: isSandbox })
  const record = eventRecorder(engine)
  const audience = contacts(engine, {
    record,
    usesOf: async (db, projectId, field) => ({
      segments: await segmentsNamingField(db, projectId, field),
      campaigns: await mailings.usingField(db, projectId, field),
      workflows: [],
    }),
  })
  const imports = contactImports(engine, audience)
  const bulk = contactBulk(engine, audience)
  const happenings = events(engine, {
    contacts: audience,
    record,
    hasMail: async (db, projectId, id) => (await findEmailOf(db, projectId, id)) !== undefined,
    usedInSegments: segmentsNamingEvent,
    usedInWorkflows: async () => [],
    startsWorkflow: async () => false,
  })
  const contents = templates(engine, {
    contacts: audience,
    domains: senders,
    renderer,
    baseUrl,
    stepsUsing: async () => [],
    ...mailOfTemplates(engine),
  })
  const mail = emails(engine, {
    projects: tenants,
    contacts: audience,
    templates: contents,
    domains: senders,
    record,
    renderer,
    links,
    files,
    transports,
    perSecond: config.limits.emailsPerSecond,
    contentElsewhere: sandbox.capturedContent(store),
    isCancelled: isCampaignCancelled,
  })
  const groups = segments(engine, {
    contacts: audience,
    recordAlike: alikeRecorder(engine),
    usedByCampaigns: (db, projectId, segmentId) => mailings.useSegment(db, projectId, segmentId),
  })
  const mailings: Campaigns = campaigns(engine, {
    projects: tenants,
    domains: senders,
    emails: mail,
    audiences: groups.audience,
    renderer,
    mayTest: async () => isSandbox,
  })
  const intake = sandbox.intakeAction({ ...engine, contacts: audience, emails: mail })
  const addresses = verification(engine, dns)
  const pages = hosted(engine, { projects: tenants, contacts: audience, emails: mail, links })

  for (const { subscribers } of [groups, mailings, mail]) bus.subscribe(subscribers)
  if (isSandbox) bus.subscribe([sandbox.simulator(mail)])
  for (const { handlers, recurring } of [audience, imports, bulk, groups, mailings]) jobs.register(handlers, recurring)
  jobs.register(happenings.handlers)

  return {
    projects: tenants,
    accounts: people,
    domains: senders,
    contacts: audience,
    imports,
    bulk,
    events: happenings,
    templates: contents,
    emails: mail,
    segments: groups,
    campaigns: mailings,
    verification: addresses,
    hosted: pages,
    intake,

    /** Readies what the rooms keep in memory and takes up what an earlier process left. Called once, before all loops. */
    async open(): Promise<void> {
      for (const room of [audience, imports, groups, mailings]) await room.open()
    },
  }
}

export type Rooms = Omit<ReturnType<typeof createModules>, "open">
