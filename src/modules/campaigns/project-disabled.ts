import type { Unit } from "../../store/writer.ts"
import type { CancelCampaign } from "./cancel.ts"
import { listActive } from "./store.ts"

/** Cancels the SCHEDULED and SENDING campaigns of a project that is disabled (contract B1.2.6). */
export const cancelWhenDisabled =
  (cancel: CancelCampaign) =>
  async (unit: Unit, projectId: string): Promise<void> => {
    for (const campaign of await listActive(unit.db, projectId)) await cancel(unit, campaign, "project_disabled")
  }
