import { linkSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { syncFolderNow, writeNewFile } from "../../store/sync.ts"

/**
 * Changes of files that are on disk when they return, and of which a crash leaves all or nothing. One that fails leaves
 * nothing, unless only its sync failed.
 */

export function writeDurably(path: string, text: string): void {
  const draft = `${path}.draft`
  rmSync(draft, { force: true })
  try {
    writeNewFile(draft, text, 0o644)
    renameDurably(draft, path)
  } catch (cause) {
    rmSync(draft, { force: true })
    throw cause
  }
}

export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  syncFolderNow(dirname(to))
}

/** Gives the file a second name, which may name another file before. */
export function linkDurably(path: string, name: string): void {
  const draft = `${name}.draft`
  rmSync(draft, { force: true })
  linkSync(path, draft)
  try {
    renameDurably(draft, name)
  } catch (cause) {
    rmSync(draft, { force: true })
    throw cause
  }
}

export function removeDurably(path: string): void {
  rmSync(path, { force: true })
  syncFolderNow(dirname(path))
}
