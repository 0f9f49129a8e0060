import { Database } from "bun:sqlite"
import { readdirSync, renameSync, rmSync, statSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { databaseName } from "./database-file.ts"
import { lockFolder } from "./lock.ts"
import { syncFolderNow } from "./sync.ts"
import { discardUnsyncedMarks } from "./unsynced-marks.ts"

const prefix = `${databaseName}.before-`

/** A mark for each copy of the database that a migration has made in this folder; a copy made anew has another one. */
export const migrationCopies = (folder: string): string[] => copiesIn(folder).map(({ mark }) => mark)

/**
 * Restores the database from before the migrations that were applied after `known` was read, if any; all later changes
 * are lost. Returns whether it did. Refuses while a server holds the folder. Atomic, and may be repeated after a crash.
 */
export function revertMigrations(folder: string, known: readonly string[]): boolean {
  const lock = lockFolder(folder, "an update that is taken back")
  try {
    // The oldest copy, because several starts may each have applied a part of the migrations.
    const copy = copiesIn(folder).find(({ mark }) => !known.includes(mark))
    if (copy === undefined) return false
    const path = join(folder, databaseName)
    settle(path)
    discardUnsyncedMarks(folder)
    renameSync(join(folder, copy.name), path)
    syncFolderNow(folder)
    return true
  } finally {
    lock.release()
  }
}

/** Deletes the copies that were made before a time, in ms; resolves to their number and their bytes. */
export async function removeMigrationCopies(folder: string, before: number): Promise<{ rows: number; bytes: number }> {
  const old = copiesIn(folder).filter(({ madeAt }) => madeAt < before)
  for (const { name } of old) await rm(join(folder, name), { force: true })
  return { rows: old.length, bytes: old.reduce((sum, { size }) => sum + size, 0) }
}

/** Without its log, which belongs to no other file: otherwise SQLite would apply it to the copy. */
function settle(path: string): void {
  try {
    const client = new Database(path, { readwrite: true })
    client.run("PRAGMA wal_checkpoint(TRUNCATE)")
    client.run("PRAGMA journal_mode = DELETE")
    client.close()
  } catch {
    // A database that cannot be opened is of no use to anybody.
  }
  for (const end of ["-wal", "-shm"]) rmSync(`${path}${end}`, { force: true })
}

interface Copy {
  readonly name: string
  readonly mark: string
  readonly madeAt: number
  readonly size: number
}

function copiesIn(folder: string): Copy[] {
  const names = namesIn(folder).filter((name) => name.startsWith(prefix) && !name.endsWith(".draft"))
  return names.sort().map((name) => {
    const { ino, mtimeMs, size } = statSync(join(folder, name))
    return { name, mark: `${name} ${ino} ${mtimeMs} ${size}`, madeAt: mtimeMs, size }
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (cause) {
    if ((cause as { code?: string }).code === "ENOENT") return []
    throw cause
  }
}
