import type { Engine } from "../../engine.ts"
import type { Renderer } from "../../mail/render/index.ts"
import type { Domains } from "../domains/index.ts"
import type { Emails } from "../emails/index.ts"
import type { Projects } from "../projects/index.ts"
import type { Audiences } from "../segments/index.ts"
import { campaignActions } from "./actions.ts"
import { beginner, scheduledBeginner } from "./begin.ts"
import { canceller } from "./cancel.ts"
import { campaignChecks } from "./checks.ts"
import { disablingReaction } from "./disabled.ts"
import { endingsWatch } from "./endings.ts"
import { finisher, finishingReaction } from "./finish.ts"
import { campaignJobs } from "./jobs.ts"
import { listWalked } from "./progress-store.ts"
import { trialAction } from "./trial.ts"
import { campaignUses } from "./uses.ts"
import { audienceWalk } from "./walk.ts"

export { isCampaignCancelled } from "./progress-store.ts"
export { campaignRoutes } from "./routes.ts"
export { type Campaign, campaignTable, campaignTallyTable, campaignWalkTable } from "./table.ts"

export interface CampaignDeps {
  readonly projects: Pick<Projects, "find">
  readonly domains: Domains
  readonly emails: Emails
  readonly audiences: Audiences
  readonly renderer: Renderer
  /** Whether tests of a project may go to an address, in canonical form. */
  readonly mayTest: (projectId: string, address: string) => Promise<boolean>
}

/** Campaigns: one mail to everybody of an audience. */
export function campaigns(engine: Pick<Engine, "store" | "ids" | "clock" | "jobs">, deps: CampaignDeps) {
  const { store } = engine
  const parts = { ...engine, ...deps }
  const endings = endingsWatch()
  const finish = finisher(endings)
  const begin = beginner(parts)
  const cancel = canceller(parts)
  const actions = campaignActions({ ...parts, checks: campaignChecks(parts), begin, cancel })
  return {
    ...actions,
    sendTest: trialAction({ ...parts, get: actions.get }),
    ...campaignUses(deps.audiences),
    ...campaignJobs({
      ...parts,
      begin: scheduledBeginner({ ...parts, begin, cancel }),
      walk: audienceWalk({ ...parts, cancel, finish }),
      cancel,
      finish,
    }),
    subscribers: [finishingReaction(endings, finish), disablingReaction(cancel)],
    /** Learns which campaigns wait for their last mail. Called once, before any mail leaves. */
    async open(): Promise<void> {
      for (const { id } of await listWalked(store.read)) endings.expect(id, 0)
    },
  }
}

export type Campaigns = ReturnType<typeof campaigns>
