import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { unusable } from "./unusable.ts"

/** The file of a data folder that has the time, in ISO 8601. */
export const manualTimeName = "clock"

const fileIn = (folder: string): string => join(folder, manualTimeName)

/** Where the manual clock of this folder stands, in ms; undefined when the folder follows the real time. */
export function manualTimeOf(folder: string): number | undefined {
  try {
    const at = Date.parse(readFileSync(fileIn(folder), "utf8"))
    return Number.isNaN(at) ? undefined : at
  } catch {
    return undefined
  }
}

/**
 * Stores the time of this folder's manual clock, or, with undefined, that it follows the real time. The write is
 * atomic, but not synced, because turning a clock far stores its time often.
 */
export function keepManualTime(folder: string, at: number | undefined): void {
  const path = fileIn(folder)
  const draft = `${path}.new`
  try {
    if (at === undefined) rmSync(path, { force: true })
    else {
      writeFileSync(draft, new Date(at).toISOString(), { mode: 0o600 })
      renameSync(draft, path)
    }
  } catch (cause) {
    rmSync(draft, { force: true })
    throw unusable(path, cause)
  }
}
