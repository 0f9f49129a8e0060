/** The states of a tracked job as shown to clients (contract A5.15.1). */
export const jobStatuses = ["queued", "processing", "completed", "failed"] as const
type JobStatus = (typeof jobStatuses)[number]

export const unfinished: readonly JobStatus[] = ["queued", "processing"]

/** The progress in percent; 100 only when the job is complete. */
export function progressOf(status: JobStatus, done: number, whole: number): number {
  if (status === "completed") return 100
  return whole === 0 ? 0 : Math.min(99, Math.floor((done / whole) * 100))
}
