import { Database } from "bun:sqlite"
import { unusable } from "../unusable.ts"
import { pendingMigrations } from "./migrate.ts"

/**
 * Throws unless the file is a database of ours, of this version or an earlier one, without damage and without dangling
 * references. `name` stands for the file in messages.
 */
export function checkDatabase(path: string, name: string): void {
  const client = new Database(path, { readwrite: true })
  try {
    pendingMigrations(client, name)
    requireSound(client)
  } catch (cause) {
    throw unusable(name, cause)
  } finally {
    client.close()
  }
}

/** Throws when what a connection sees is damaged or has dangling references. Takes seconds per gigabyte. */
export function requireSound(client: Database): void {
  const [damage] = client.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").all()
  if (damage?.integrity_check !== "ok") throw new Error(damage?.integrity_check.replaceAll(/\s+/g, " ") ?? "empty")
  const astray = client.query<{ table: string; parent: string }, []>("PRAGMA foreign_key_check").get()
  if (astray !== null) throw new Error(`rows of ${astray.table} lack their ${astray.parent}`)
}
