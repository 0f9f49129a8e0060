import { Database } from "bun:sqlite"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Mode } from "../../src/config.ts"
import { migrate } from "../../src/store/sqlite/migrate.ts"

let migrated: Uint8Array | undefined

/**
 * Makes a data folder that has an empty database of this version: a third of the start of an app would be its migrations,
 * which have tests of their own. Its caller removes it.
 */
export function newDataFolder(mode: Mode): string {
  const folder = mkdtempSync(join(tmpdir(), "mailstead-test-"))
  migrated ??= emptyDatabase()
  writeFileSync(join(folder, "mode"), mode, { mode: 0o600 })
  writeFileSync(join(folder, "mailstead.db"), migrated, { mode: 0o600 })
  return folder
}

function emptyDatabase(): Uint8Array {
  const client = new Database(":memory:")
  try {
    client.run("PRAGMA auto_vacuum = INCREMENTAL")
    migrate(client, ":memory:", 0)
    return client.serialize()
  } finally {
    client.close()
  }
}
