import { Database } from "bun:sqlite"
import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DomainError } from "../kernel/errors.ts"
import { unusable } from "./unusable.ts"

export interface Lock {
  release(): void
}

/** The code of the refusal when another process has the folder. */
export const folderInUse = "DATA_FOLDER_IN_USE"

/**
 * One process per data folder. The lock is a SQLite file held in an exclusive transaction, so the operating system
 * releases it even after `kill -9`; a file beside it names the holder.
 */
export function lockFolder(folder: string, holder: string): Lock {
  const path = join(folder, "mailstead.lock")
  const note = join(folder, "mailstead.pid")
  let client: Database | undefined
  try {
    client = new Database(path, { readwrite: true, create: true })
    chmodSync(path, 0o600)
    client.run("PRAGMA busy_timeout = 0")
    client.run("PRAGMA locking_mode = EXCLUSIVE")
    client.run("BEGIN EXCLUSIVE")
    name(note, holder)
  } catch (cause) {
    client?.close()
    throw isBusy(cause) ? inUse(folder, holderOf(note)) : unusable(path, cause)
  }
  const held = client
  return { release: () => held.close() }
}

function name(note: string, holder: string): void {
  try {
    writeFileSync(note, holder, { mode: 0o600 })
  } catch (cause) {
    throw unusable(note, cause)
  }
}

const isBusy = (cause: unknown): boolean => (cause as { code?: unknown } | null)?.code === "SQLITE_BUSY"

const inUse = (folder: string, holder: string): DomainError =>
  new DomainError(
    "conflict",
    folderInUse,
    `The data folder ${folder} is in use by ${holder}. Stop it, or name another folder with --data.`,
  )

function holderOf(note: string): string {
  try {
    return readFileSync(note, "utf8")
  } catch {
    return "another process"
  }
}
