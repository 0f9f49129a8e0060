import { readFileSync } from "node:fs"
import { removeDurably, writeDurably } from "./durable.ts"

/**
 * Where an update stands. The file lies beside the executable from before that is replaced until the new version is
 * healthy or the old one is back.
 */
export interface Marker {
  readonly from: string
  readonly to: string
  readonly state: "trying" | "reverting"
  /** The copies of the database, made by migrations, that there were before the update. */
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

/** Whether an update of that process is still running; another program may have got the number since. */
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
