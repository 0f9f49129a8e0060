const storeFaults = [
  "SQLITE_FULL",
  "SQLITE_IOERR",
  "SQLITE_READONLY",
  "SQLITE_CORRUPT",
  "SQLITE_CANTOPEN",
  "SQLITE_NOMEM",
  "SQLITE_BUSY",
]

/** Whether the database engine itself failed, also when Drizzle has wrapped the cause. */
export const isStoreFault = (cause: unknown): boolean =>
  hasCode(cause, (code) => storeFaults.some((name) => code.startsWith(name)))

/** Whether the database file is corrupt. */
export const isDamage = (cause: unknown): boolean => hasCode(cause, (code) => code.startsWith("SQLITE_CORRUPT"))

/** Whether another connection holds the write lock. */
export const isBusy = (cause: unknown): boolean => hasCode(cause, (code) => code.startsWith("SQLITE_BUSY"))

/** Whether a row was written whose foreign key refers to no row. */
export const lacksParent = (cause: unknown): boolean =>
  hasCode(cause, (code) => code === "SQLITE_CONSTRAINT_FOREIGNKEY")

function hasCode(cause: unknown, is: (code: string) => boolean): boolean {
  for (let at = cause, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code = (at as { code?: unknown }).code
    if (typeof code === "string" && is(code)) return true
  }
  return false
}
