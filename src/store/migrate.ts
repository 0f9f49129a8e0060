import type { Database } from "bun:sqlite"
import { existsSync } from "node:fs"
import { DomainError } from "../kernel/errors.ts"
import { type Migration, migrations } from "./migrations/index.ts"

/** "PHRN": marks the file as ours, so that another program's database is never migrated. */
const applicationId = 0x5048524e

interface Applied {
  name: string
  hash: string
}

/**
 * Brings the database up to this version: each missing migration in a transaction of its own, recorded with the hash of
 * its text. Before an existing database is changed a copy is made beside it. A database of a newer version is refused.
 */
export function migrate(client: Database, path: string, now: number, list: readonly Migration[] = migrations): void {
  const missing = pendingMigrations(client, path, list)
  if (missing.length === 0) return
  if (missing.length < list.length) backUp(client, path, missing[0]?.name ?? "")
  for (const migration of missing) {
    client.transaction(() => {
      client.run(migration.sql)
      client
        .query("INSERT INTO migration (name, hash, applied_at) VALUES (?, ?, ?)")
        .run(migration.name, hashOf(migration), now)
    })()
  }
}

/** What this version would still apply. Throws on a database that is newer, foreign, or was migrated by other texts. */
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
        `${path} was made by a newer version of Posthorn (it has "${name}"). Run that version, or restore a backup.`,
      )
    if (ours.name !== name || hashOf(ours) !== hash)
      throw unusable(
        `${path} was migrated by another build of Posthorn ("${name}" differs). Run that build, or restore a backup.`,
      )
  }
  return list.slice(applied.length)
}

function appliedMigrations(client: Database, path: string): Applied[] {
  const mark = (client.query("PRAGMA application_id").get() as { application_id: number }).application_id
  const tables = (client.query("SELECT count(*) AS n FROM sqlite_schema").get() as { n: number }).n
  if (mark !== applicationId) {
    if (mark !== 0 || tables > 0) throw unusable(`${path} is a database of another program. Name another data folder.`)
    client.run(`PRAGMA application_id = ${applicationId}`)
  }
  client.run(
    "CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY, hash TEXT NOT NULL, applied_at INTEGER NOT NULL)",
  )
  return client.query("SELECT name, hash FROM migration ORDER BY name").all() as Applied[]
}

function backUp(client: Database, path: string, next: string): void {
  const copy = `${path}.before-${next}`
  if (!existsSync(copy)) client.query("VACUUM INTO ?").run(copy)
}

const hashOf = (migration: Migration): string => new Bun.CryptoHasher("sha256").update(migration.sql).digest("hex")

const unusable = (message: string): DomainError => new DomainError("unavailable", "STORE_UNUSABLE", message)
