import { Database } from "bun:sqlite"
import { renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { syncFileNow, syncFolderNow } from "../sync.ts"
import { unusable } from "../unusable.ts"
import { schemaImage } from "./schema-image.ts" with { type: "macro" }

/** Only decoded where a database is made. */
const image = schemaImage()

/**
 * Makes the file of an empty database of this version, which must not exist. It is whole under its name, or not there,
 * also after a crash. `now` is when its migrations count as applied.
 */
export function createDatabase(path: string, now: number): void {
  const draft = `${path}.new`
  // A log without its database belongs to one that is gone; SQLite would apply it to this one.
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
