import { DomainError } from "../kernel/errors.ts"
import { reasonOf } from "../kernel/log.ts"

/** The error for a file that cannot be used: names it, the reason, and what to do. */
export function unusable(path: string, cause: unknown): DomainError {
  // Refusals are sentences already.
  if (cause instanceof DomainError) return cause
  const code = (cause as { code?: string } | null)?.code ?? ""
  const advice: Record<string, string> = {
    SQLITE_NOTADB: "It is not a Mailstead database: name another data folder, or restore a backup.",
    SQLITE_CORRUPT: "It is damaged: restore a backup.",
    SQLITE_CANTOPEN: "It cannot be opened: check that the folder exists and belongs to the user that runs Mailstead.",
    SQLITE_READONLY: "It cannot be written: check the permissions of the data folder.",
    SQLITE_FULL: "The disk is full: free some space.",
    ENOSPC: "The disk is full: free some space.",
  }
  const known = Object.keys(advice).find((name) => code.startsWith(name))
  return new DomainError(
    "unavailable",
    "STORE_UNUSABLE",
    `${path}: ${reasonOf(cause)}. ${known ? advice[known] : ""}`.trim(),
  )
}
