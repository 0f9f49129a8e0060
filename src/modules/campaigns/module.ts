import type { Engine } from "../../engine.ts"
import type { Protect } from "../../http/protect.ts"
import type { Renderer } from "../../mail/render/index.ts"
import type { Module } from "../../module.ts"
import type { Domains } from "../domains/index.ts"
import type { Emails } from "../emails/index.ts"
import type { Projects } from "../projects/index.ts"
import type { Audiences } from "../segments/index.ts"
import { createCampaignActions } from "./actions.ts"
import { createBegin, createBeginScheduled } from "./begin.ts"
import { createCancel } from "./cancel.ts"
import { createChecks } from "./checks.ts"
import { createEngagement } from "./engagement.ts"
import { createFinish, finishSubscriber } from "./finish.ts"
import { createCampaignJobs } from "./jobs.ts"
import { createOpenMails } from "./open-mails.ts"
import { listWalked } from "./progress-store.ts"
import { cancelWhenDisabled } from "./project-disabled.ts"
import { campaignReferences } from "./references.ts"
import { campaignRoutes } from "./routes.ts"
import { deleteCampaigns } from "./store.ts"
import { createSendTest } from "./test-email.ts"
import { createWalk } from "./walk.ts"

interface CampaignDeps {
  readonly projects: Pick<Projects, "find">
  readonly domains: Domains
  readonly emails: Emails
  readonly audiences: Audiences
  readonly renderer: Renderer
  /** Whether test messages of a project may go to an address, in canonical form. */
  readonly mayTest: (projectId: string, address: string) => Promise<boolean>
}

/** Campaigns: one message to every contact of an audience. */
export function createCampaigns(
  engine: Pick<Engine, "store" | "ids" | "clock" | "jobs" | "log">,
  campaignDeps: CampaignDeps,
) {
  const { store, clock } = engine
  const deps = { ...engine, ...campaignDeps }
  const openMails = createOpenMails()
  const finish = createFinish(openMails)
  const begin = createBegin(deps)
  const cancel = createCancel(deps)
  const own = createCampaignActions({ ...deps, checks: createChecks(deps), begin, cancel })
  const actions = {
    ...own,
    sendTest: createSendTest({ ...deps, get: own.get }),
    engagement: createEngagement({ ...deps, get: own.get }),
  }
  return {
    name: "campaigns",
    actions,
    routes: (protect: Protect) => campaignRoutes(actions, protect, clock),
    ...createCampaignJobs({
      ...deps,
      begin: createBeginScheduled({ ...deps, begin, cancel }),
      walk: createWalk({ ...deps, cancel, finish }),
      cancel,
      finish,
    }),
    subscribers: [finishSubscriber(openMails, finish)],
    disable: cancelWhenDisabled(cancel),
    references: campaignReferences(deps.audiences),
    async erase(unit, projectId): Promise<void> {
      const erased = await deleteCampaigns(unit, projectId)
      unit.afterCommit(() => erased.forEach(openMails.delete))
    },
    /** Loads the campaigns that wait for their last mail. Called once, before any mail leaves. */
    async open(): Promise<void> {
      for (const campaign of await listWalked(store.read)) openMails.set(campaign, 0)
    },
  } satisfies Module
}

export type Campaigns = ReturnType<typeof createCampaigns>["actions"]
