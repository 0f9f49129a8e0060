/** The life of an import or a bulk job (contract A5.15.1). */
export const jobStatuses = ["queued", "processing", "completed", "failed"] as const
export type JobStatus = (typeof jobStatuses)[number]

export const unfinished: readonly JobStatus[] = ["queued", "processing"]

/**
 * Runs that may begin in a row without getting anywhere, before a job that takes its process along each time is given up.
 * Until then it is tried again, so the queue has no limit of its own.
 */
export const maxVainRuns = 20
export const queueLimits = { attempts: Number.MAX_SAFE_INTEGER } as const

/** What is done of the whole in percent; 100 only when all of it is. */
export function progressOf(status: JobStatus, done: number, whole: number): number {
  if (status === "completed") return 100
  return whole === 0 ? 0 : Math.min(99, Math.floor((done / whole) * 100))
}
