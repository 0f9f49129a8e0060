import { linkSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { syncFolderNow, writeNewFile } from "./sync.ts"
import { unusable } from "./unusable.ts"

/** The text of a small file; undefined when it is not there. */
export function readFileIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    if ((cause as { code?: unknown }).code === "ENOENT") return undefined
    throw unusable(path, cause)
  }
}

/**
 * Creates a small file that only its owner can read, in an existing folder. The creation is atomic, also in a crash,
 * and on disk when this returns. Throws when the file exists.
 */
export function makeFile(path: string, text: string): void {
  const draft = `${path}.new`
  try {
    rmSync(draft, { force: true })
    writeNewFile(draft, text, 0o600)
    giveName(draft, path)
  } catch (cause) {
    throw unusable(path, cause)
  } finally {
    discard(draft)
  }
}

/** By a hard link, because a rename would replace a file that another process has created there meanwhile. */
function giveName(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (cause) {
    if (!lacksLinks(cause)) throw cause
    renameSync(draft, path)
  }
  try {
    syncFolderNow(dirname(path))
  } catch (cause) {
    rmSync(path, { force: true })
    throw cause
  }
}

/** Error codes of file systems without hard links, such as FAT and some network folders. */
export const lacksLinks = (cause: unknown): boolean =>
  ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"].includes((cause as { code?: string }).code ?? "")

/**
 * Writes a small file that only its owner can read. The write is atomic, also in a crash, and on disk when this
 * returns. Missing folders are created.
 */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.new`
  const folder = dirname(path)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    rmSync(draft, { force: true })
    writeNewFile(draft, text, 0o600)
    renameSync(draft, path)
    syncFolderNow(folder)
  } catch (cause) {
    discard(draft)
    throw unusable(path, cause)
  }
}

function discard(draft: string): void {
  try {
    rmSync(draft, { force: true })
  } catch {
    // A leftover file does no harm, and on a read-only disk there is none: the error to report is that of the write.
  }
}
