import type { Subscriber } from "../../bus/bus.ts"
import { projectDisabled } from "../projects/index.ts"
import type { CancelCampaign } from "./cancel.ts"
import { listActive } from "./store.ts"

/** Cancels the SCHEDULED and SENDING campaigns of a project that is disabled (contract B1.2.6). */
export const disabledSubscriber = (cancel: CancelCampaign): Subscriber => ({
  name: "campaigns.disabled",
  on: [projectDisabled],
  async handle(signals, unit) {
    for (const projectId of new Set(signals.map((signal) => signal.projectId)))
      for (const campaign of await listActive(unit.db, projectId)) await cancel(unit, campaign, "project_disabled")
  },
})
