const storeFaults = [
  "SQLITE_FULL",
  "SQLITE_IOERR",
  "SQLITE_READONLY",
  "SQLITE_CORRUPT",
  "SQLITE_CANTOPEN",
  "SQLITE_NOMEM",
  "SQLITE_BUSY",
]

/** The database engine itself failed, also when Drizzle has wrapped the cause. */
export function isStoreFault(cause: unknown): boolean {
  for (let at = cause, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code = (at as { code?: unknown }).code
    if (typeof code === "string" && storeFaults.some((name) => code.startsWith(name))) return true
  }
  return false
}
