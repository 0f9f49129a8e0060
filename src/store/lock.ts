import { Database } from "bun:sqlite"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DomainError } from "../kernel/errors.ts"

export interface Lock {
  release(): void
}

/**
 * One process per data folder. The lock is a SQLite file held in an exclusive transaction, so the operating system
 * lets go of it even after `kill -9`; a note beside it says who holds it.
 */
export function lockFolder(folder: string, holder: string): Lock {
  const note = join(folder, "posthorn.pid")
  const client = new Database(join(folder, "posthorn.lock"), { readwrite: true, create: true })
  try {
    client.run("PRAGMA busy_timeout = 0")
    client.run("PRAGMA locking_mode = EXCLUSIVE")
    client.run("BEGIN EXCLUSIVE")
  } catch {
    client.close()
    throw new DomainError(
      "conflict",
      "DATA_FOLDER_IN_USE",
      `The data folder ${folder} is in use by ${holderOf(note)}. Stop it, or name another folder with --data.`,
    )
  }
  writeFileSync(note, holder, { mode: 0o600 })
  return { release: () => client.close() }
}

function holderOf(note: string): string {
  try {
    return readFileSync(note, "utf8")
  } catch {
    return "another process"
  }
}
