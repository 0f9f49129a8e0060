/** The life of an import or a bulk job (contract A5.15.1). */
export const jobStatuses = ["queued", "processing", "completed", "failed"] as const
export type JobStatus = (typeof jobStatuses)[number]

export const isOver = (status: JobStatus): boolean => status === "completed" || status === "failed"

/** What is done of the whole in percent; 100 only when all of it is. */
export function progressOf(status: JobStatus, done: number, whole: number): number {
  if (status === "completed") return 100
  return whole === 0 ? 0 : Math.min(99, Math.floor((done / whole) * 100))
}
