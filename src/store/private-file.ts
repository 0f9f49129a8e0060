import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs"
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
 * Makes a small file that only the owner reads, in a folder that is there. Its text and its name are on disk when this
 * returns; when it throws there is no file, or the one that was there before.
 */
export function makeFile(path: string, text: string): void {
  try {
    writeNewFile(path, text, 0o600)
    syncFolderNow(dirname(path))
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "EEXIST") rmSync(path, { force: true })
    throw unusable(path, cause)
  }
}

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
    rmSync(draft, { force: true })
    throw unusable(path, cause)
  }
}
