import { readFileSync } from "node:fs"
import { removeDurably, writeDurably } from "./durable.ts"

/**
 * The state of an update. The file exists beside the executable from before the replacement until the new version is
 * healthy or the old one is restored.
 */
export interface Marker {
  readonly from: string
  readonly to: string
  readonly state: "trying" | "reverting"
  /** When the update has paused sending, in ms, which tells its pause from others; undefined when it has not. */
  readonly pausedAt?: number | undefined
  /** The copies of the database that migrations had made before the update. */
  readonly copies: readonly string[]
  /** The process that updates. */
  readonly pid: number
}

export function openMarker(path: string) {
  return {
    read(): Marker | undefined {
      let text: string
      try {
        text = readFileSync(path, "utf8")
      } catch (cause) {
        if ((cause as { code?: string }).code === "ENOENT") return undefined
        throw cause
      }
      return JSON.parse(text)
    },
    write: (marker: Marker): void => writeDurably(path, JSON.stringify(marker)),
    remove: (): void => removeDurably(path),
  }
}

/** Whether the process of the update is still running; its id may belong to another program by now. */
export function isUpdating({ pid }: Marker): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
  } catch (cause) {
    if ((cause as { code?: string }).code === "ESRCH") return false
  }
  if (process.platform !== "linux") return true
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes("update")
  } catch {
    return false
  }
}
