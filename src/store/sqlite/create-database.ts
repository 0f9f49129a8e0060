import { Database } from "bun:sqlite"
import { renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { syncFileNow, syncFolderNow } from "../sync.ts"
import { unusable } from "../unusable.ts"
import { schemaImage } from "./schema-image.ts" with { type: "macro" }

/** Only decoded where a database is made. */
const image = schemaImage()

/**
 * Creates an empty database of this version; the file must not exist. The creation is atomic, also in a crash. `now` is
 * stored as the time of its migrations.
 */
export function createDatabase(path: string, now: number): void {
  const draft = `${path}.new`
  // A log without a database is left over from a deleted one; SQLite would apply it to the new database.
  for (const stale of [draft, `${draft}-wal`, `${draft}-shm`, `${path}-wal`, `${path}-shm`])
    rmSync(stale, { force: true })
  try {
    writeFileSync(draft, Bun.zstdDecompressSync(Buffer.from(image, "base64")), { flag: "wx", mode: 0o600 })
    const client = new Database(draft, { readwrite: true })
    client.run("PRAGMA synchronous = OFF")
    client.run("UPDATE migration SET applied_at = ?", [now])
    client.close()
    syncFileNow(draft)
    renameSync(draft, path)
    syncFolderNow(dirname(path))
  } catch (cause) {
    rmSync(draft, { force: true })
    throw unusable(path, cause)
  }
}
