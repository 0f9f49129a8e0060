import type { Subscriber } from "../../bus/bus.ts"
import { projectDisabled } from "../projects/index.ts"
import type { CancelCampaign } from "./cancel.ts"
import { listActive } from "./store.ts"

/** Cancels what a project had under way or planned when it is disabled (contract B1.2, row 6). */
export const disablingReaction = (cancel: CancelCampaign): Subscriber => ({
  name: "campaigns.disabled",
  on: [projectDisabled],
  async handle(signals, unit) {
    for (const projectId of new Set(signals.map((signal) => signal.projectId)))
      for (const campaign of await listActive(unit.db, projectId)) await cancel(unit, campaign, "project_disabled")
  },
})
