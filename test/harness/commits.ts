import { Database } from "bun:sqlite"
import { copyFileSync, mkdtempSync, readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestApp } from "./app.ts"

const database = "mailstead.db"

/** The data folder as a process leaves it that is killed after a commit, and the time of it. */
interface Crash {
  readonly folder: string
  readonly now: number
}

/**
 * Copies the data folder after each commit that changes one of the tables, until `stop`: a process that is killed leaves
 * its last commit and nothing else.
 */
export function recordCommits(it: TestApp, tables: readonly string[]): { stop(): readonly Crash[] } {
  const { store } = it.app
  const write = store.write
  const reader = new Database(join(it.folder, database), { readonly: true })
  const crashes: Crash[] = []
  let last = ""

  function copy(): void {
    const state = tables.map((table) => JSON.stringify(reader.query(`SELECT * FROM ${table}`).all())).join("\n")
    if (state === last) return
    last = state
    const folder = mkdtempSync(join(tmpdir(), "mailstead-crash-"))
    for (const entry of readdirSync(it.folder, { withFileTypes: true }))
      if (entry.isFile() && !entry.name.startsWith(database) && entry.name !== "lock")
        copyFileSync(join(it.folder, entry.name), join(folder, entry.name))
    reader.query("VACUUM INTO ?").run(join(folder, database))
    crashes.push({ folder, now: it.clock.now() })
  }

  const recording: typeof write = async (scope, work) => {
    const result = await write(scope, work)
    copy()
    return result
  }
  Object.assign(store, { write: recording })
  return {
    stop() {
      Object.assign(store, { write })
      reader.close()
      return crashes
    },
  }
}
