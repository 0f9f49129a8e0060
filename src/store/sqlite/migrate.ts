import type { Database } from "bun:sqlite"
import { chmodSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { DomainError } from "../../kernel/errors.ts"
import { type Log, silentLog } from "../../kernel/log.ts"
import type { Migration } from "../migration.ts"
import { migrations } from "../migrations/index.ts"
import { syncFolderNow } from "../sync.ts"

/** "MLST": marks the file as ours, so that another program's database is never migrated. */
const applicationId = 0x4d4c5354

interface Applied {
  name: string
  hash: string
}

/**
 * Brings the database up to this version: all missing migrations in one transaction, because no version opens a database
 * that is between two of them; each is recorded with the hash of its text. Before an existing database is changed a copy
 * is made beside it. A database of a newer version is refused. Foreign keys are off meanwhile, because rebuilding a table
 * would delete the rows that refer to it; each migration is checked for dangling references.
 */
export function migrate(
  client: Database,
  path: string,
  now: number,
  list: readonly Migration[] = migrations,
  log: Log = silentLog,
): void {
  const missing = pendingMigrations(client, path, list)
  const [next] = missing
  if (next === undefined) return
  if (missing.length < list.length) {
    const copy = copyBefore(path, next.name)
    // Logged, because a migration can take minutes, during which nothing listens and only SIGKILL ends the process.
    log.info("The database is copied and then changed for this version; a kill only makes it begin anew", {
      path,
      copy,
    })
    backUp(client, copy)
  }
  client.run("PRAGMA foreign_keys = OFF")
  try {
    client.transaction(() => {
      for (const migration of missing) apply(client, path, migration, now)
    })()
  } finally {
    client.run("PRAGMA foreign_keys = ON")
  }
}

function apply(client: Database, path: string, migration: Migration, now: number): void {
  const { name } = migration
  client.run(migration.sql)
  const astray = client.query("PRAGMA foreign_key_check").get() as { table: string; parent: string } | null
  if (astray !== null)
    throw unusable(
      `${path}: "${name}" leaves rows of ${astray.table} without their ${astray.parent}. It was not applied.`,
    )
  client.query("INSERT INTO migration (name, hash, applied_at) VALUES (?, ?, ?)").run(name, hashOf(migration), now)
}

/**
 * The migrations that are not applied yet. Throws on a database that is newer, belongs to another program, or was
 * migrated by other texts.
 */
export function pendingMigrations(
  client: Database,
  path: string,
  list: readonly Migration[] = migrations,
): readonly Migration[] {
  const applied = appliedMigrations(client, path)
  for (const [at, { name, hash }] of applied.entries()) {
    const ours = list[at]
    if (ours === undefined)
      throw unusable(
        `${path} was made by a newer version of Mailstead (it has "${name}"). Run that version, ${wayBack(path, name)}.`,
      )
    if (ours.name !== name || hashOf(ours) !== hash)
      throw unusable(
        `${path} was migrated by another build of Mailstead ("${name}" differs). Run that build, or restore a backup.`,
      )
  }
  return list.slice(applied.length)
}

const copyBefore = (path: string, name: string): string => `${path}.before-${name}`

/** How to use this version again after a newer one has applied the migration of that name. */
function wayBack(path: string, name: string): string {
  const copy = copyBefore(path, name)
  return existsSync(copy) ? `restore a backup, or go back to ${copy} as config/backups.md says` : "or restore a backup"
}

/** Throws if the database belongs to another program; changes nothing. */
export function refuseForeign(client: Database, path: string): void {
  const tables = (client.query("SELECT count(*) AS n FROM sqlite_schema").get() as { n: number }).n
  if (isOurs(client) || (markOf(client) === 0 && tables === 0)) return
  throw unusable(`${path} is a database of another program. Name another data folder.`)
}

const markOf = (client: Database): number =>
  (client.query("PRAGMA application_id").get() as { application_id: number }).application_id
const isOurs = (client: Database): boolean => markOf(client) === applicationId

function appliedMigrations(client: Database, path: string): Applied[] {
  refuseForeign(client, path)
  if (!isOurs(client)) client.run(`PRAGMA application_id = ${applicationId}`)
  client.run(
    "CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY, hash TEXT NOT NULL, applied_at INTEGER NOT NULL)",
  )
  return client.query("SELECT name, hash FROM migration ORDER BY name").all() as Applied[]
}

/** A copy under the final name is complete and of the present state; an older copy is replaced. */
function backUp(client: Database, copy: string): void {
  const draft = `${copy}.draft`
  try {
    writeFileSync(draft, "", { mode: 0o600 })
    chmodSync(draft, 0o600)
    client.query("VACUUM INTO ?").run(draft)
    renameSync(draft, copy)
    syncFolderNow(dirname(copy))
  } catch (cause) {
    for (const path of [draft, `${draft}-journal`]) rmSync(path, { force: true })
    throw cause
  }
}

const hashOf = (migration: Migration): string => new Bun.CryptoHasher("sha256").update(migration.sql).digest("hex")

const unusable = (message: string): DomainError => new DomainError("unavailable", "STORE_UNUSABLE", message)
