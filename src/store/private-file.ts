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
 * Makes a small file that only the owner reads, in a folder that is there. It is whole under its name or not there, also
 * after a crash, and on disk when this returns; a file that is there already stays, and this throws.
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

/** By a link, because a rename would replace what another process has put there meanwhile. */
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

/** What file systems without links, such as FAT and some network folders, say to one. */
export const lacksLinks = (cause: unknown): boolean =>
  ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"].includes((cause as { code?: string }).code ?? "")

/**
 * Writes a small file that only the owner reads. It has the old or the new text, also after a crash; the new one is on
 * disk when this returns. Folders that are missing are made.
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
    // It stays. On a disk that can only be read there is none, and that is what has to be told.
  }
}
