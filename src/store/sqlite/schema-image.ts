import { Database } from "bun:sqlite"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { databaseName } from "../database-file.ts"
import { migrate } from "./migrate.ts"

/**
 * The file of an empty database after all migrations, compressed, in base64. Imported with `{ type: "macro" }`, so that
 * the migrations run once while the program is built, and not at each start on an empty folder.
 */
export function schemaImage(): string {
  const folder = mkdtempSync(join(tmpdir(), "mailstead-schema-"))
  try {
    const path = join(folder, databaseName)
    const client = new Database(path, { readwrite: true, create: true })
    client.run("PRAGMA auto_vacuum = INCREMENTAL")
    migrate(client, path, 0)
    client.run("PRAGMA journal_mode = WAL")
    client.close()
    return Bun.zstdCompressSync(readFileSync(path), { level: 19 }).toBase64()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
