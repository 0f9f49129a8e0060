import { linkSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { syncFolderNow, writeNewFile } from "../../store/sync.ts"

/**
 * File operations that are atomic and on disk when they return. One that fails changes nothing, unless only its sync
 * failed.
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

/** Gives the file a second name, replacing whatever had that name. */
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
