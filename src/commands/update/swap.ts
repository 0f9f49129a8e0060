import { linkDurably, removeDurably, renameDurably } from "./durable.ts"

interface Swapped {
  readonly executable: string
  /** The new executable, complete and verified. */
  readonly next: string
  /** The name under which the old executable stays. */
  readonly previous: string
}

export interface SwapFiles {
  link(path: string, name: string): void
  rename(from: string, to: string): void
  remove(path: string): void
}

const durable: SwapFiles = { link: linkDurably, rename: renameDurably, remove: removeDurably }

/**
 * Replaces an executable by a new one. Windows allows a running program to be renamed, but not to be replaced or
 * deleted: there the old one is moved away first, so that for a moment, and after a crash within it, only `previous`
 * exists. Elsewhere an executable is in place at every moment.
 */
export function swap(
  { executable, next, previous }: Swapped,
  platform: NodeJS.Platform = process.platform,
  files: SwapFiles = durable,
): void {
  if (platform !== "win32") {
    files.link(executable, previous)
    files.rename(next, executable)
    return
  }
  try {
    files.remove(previous)
  } catch {
    files.remove(next)
    throw new Error(`${previous} cannot be deleted, so it is probably running: restart the server first.`)
  }
  files.rename(executable, previous)
  try {
    files.rename(next, executable)
  } catch (cause) {
    files.rename(previous, executable)
    throw cause
  }
}
