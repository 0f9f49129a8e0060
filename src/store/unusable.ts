import { DomainError } from "../kernel/errors.ts"
import { plainReasonOf } from "../kernel/log.ts"

/** The error for a file that cannot be used: names it, the reason, and what to do. */
export function unusable(path: string, cause: unknown): DomainError {
  // Refusals are sentences already.
  if (cause instanceof DomainError) return cause
  const code = (cause as { code?: string } | null)?.code ?? ""
  const owner = "Run this as the user that owns it, or change the permissions of it and of the folder that it is in."
  const advice: Record<string, string> = {
    SQLITE_NOTADB: "It is not a Mailstead database: name another data folder, or restore a backup.",
    SQLITE_CORRUPT: "It is damaged: restore a backup.",
    SQLITE_CANTOPEN:
      "It cannot be opened: check that the folder exists and belongs to the user that runs Mailstead, and that its disk has room for another file (df -i).",
    SQLITE_READONLY:
      "It cannot be written: check the permissions of the data folder, and whether its disk can only be read. Then copy the whole folder to another disk.",
    SQLITE_IOERR: "Check that the disk has room and works.",
    SQLITE_FULL: "The disk is full: free some space.",
    ENOSPC: "The disk is full: free some space.",
    EDQUOT: "The quota of the user that runs Mailstead is used up: free some space, or raise it.",
    EACCES: owner,
    EPERM: owner,
    // For a systemd service everything is read-only except the paths in its unit (`ProtectSystem=strict`).
    EROFS:
      "The disk can only be read: mount it for writing, name another folder, or name it in ReadWritePaths of the unit.",
    EEXIST: "There is a file of this name: name another.",
    ENOTDIR: "A file is where a folder should be: name another folder.",
    EISDIR: "A folder is where a file should be: name a file.",
    ENOENT: "Check that the folder that it is in exists.",
  }
  const known = Object.keys(advice).find((name) => code.startsWith(name))
  return new DomainError(
    "unavailable",
    "STORE_UNUSABLE",
    `${path}: ${plainReasonOf(cause)}. ${known ? advice[known] : ""}`.trim(),
  )
}
