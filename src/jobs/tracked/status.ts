/** The states that a client sees a tracked job in (contract A5.15.1). */
export const jobStatuses = ["queued", "processing", "completed", "failed"] as const
export type JobStatus = (typeof jobStatuses)[number]

export const unfinished: readonly JobStatus[] = ["queued", "processing"]

/** How much of the whole is done, in percent; 100 only when all of it is. */
export function progressOf(status: JobStatus, done: number, whole: number): number {
  if (status === "completed") return 100
  return whole === 0 ? 0 : Math.min(99, Math.floor((done / whole) * 100))
}
