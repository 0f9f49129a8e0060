import { Type } from "@sinclair/typebox"
import { defineJob, done, handles, type JobHandler, type Recurring } from "../../jobs/define.ts"

export const takeJob = defineJob("backup.take", Type.Object({}))

/** A failure is recorded with the backup and not tried again before the next time of the schedule. */
export const createBackupJobs = (
  { take }: { readonly take: (abort: AbortSignal) => Promise<void> },
  schedule: string | null,
): { handlers: JobHandler[]; recurring: Recurring[] } => ({
  handlers: [
    handles(takeJob, async (_, abort) => {
      await take(abort)
      return done
    }),
  ],
  recurring: schedule === null ? [] : [{ kind: takeJob, every: schedule }],
})
