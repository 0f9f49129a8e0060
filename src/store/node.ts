import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { unusable } from "./unusable.ts"

/**
 * The id of the node that works in this data folder, which owns its leases. A folder is held by one process at a time,
 * so a new process finds the leases of the previous one under its own id, and none of another node. If the file is
 * lost, those leases have to expire first. It is created at the first start, once the database is on disk, so that a
 * later loss of the database is noticed (`requireKept`).
 */
export function openNode(folder: string): string {
  const path = join(folder, "node")
  const known = readNode(path)
  if (known !== undefined) return known
  const id = crypto.randomUUID()
  try {
    writeFileSync(path, id, { mode: 0o600 })
  } catch (cause) {
    throw unusable(path, cause)
  }
  return id
}

function readNode(path: string): string | undefined {
  try {
    const text = readFileSync(path, "utf8").trim()
    return /^[0-9a-f-]{36}$/.test(text) ? text : undefined
  } catch {
    return undefined
  }
}
