import { Database } from "bun:sqlite"
import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { withModules } from "../../src/app.ts"
import { loadConfig } from "../../src/config.ts"
import { systemClock } from "../../src/kernel/clock.ts"
import { bytesOfId } from "../../src/kernel/ids.ts"
import { silentLog } from "../../src/kernel/log.ts"
import { makeNewSecret } from "../../src/modules/backups/index.ts"
import { findSealed } from "../../src/modules/projects/index.ts"
import { restoreBackup } from "../../src/store/backup/restore.ts"
import { fileSource } from "../../src/store/backup/source.ts"
import { takeBackup } from "../../src/store/backup/take.ts"

/** A data folder with a project, a file in the file store, and so many megabytes that cannot be compressed much. */
export async function fillFolder(
  data: string,
  megabytes = 0,
): Promise<{ id: string; publicKey: string; secret: string }> {
  const { config } = loadConfig({ options: { data } })
  const project = await withModules(config, ({ projects }) => projects.create("Acme"))
  const hash = new Bun.CryptoHasher("sha256").update("a picture").digest("hex")
  mkdirSync(join(data, "files", hash.slice(0, 2)), { recursive: true })
  writeFileSync(join(data, "files", hash.slice(0, 2), hash), "a picture")
  inDatabase(data, (db) => {
    const content = db.prepare(
      "INSERT INTO content (project_id, hash, subject, body, literal, headers, attachments, created_at, used_at) VALUES (?, ?, 'Hi', ?, 0, '{}', '[]', 0, 0)",
    )
    db.transaction(() => {
      for (let n = 0; n < megabytes; n++)
        content.run(bytesOfId(project.id), `hash${n}`, randomBytes(524_288).toString("hex"))
    })()
  })
  return project
}

export function inDatabase<T>(data: string, work: (db: Database) => T): T {
  const db = new Database(join(data, "mailstead.db"), { readwrite: true })
  db.run("PRAGMA busy_timeout = 5000")
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** Settings of a server that takes backups; the next one that starts with them on this folder takes one at once. */
export function backupDue(data: string): Record<string, string> {
  const schedule = "30 3 * * *"
  inDatabase(data, (db) =>
    db.run("INSERT OR REPLACE INTO recurring (name, schedule, next_at) VALUES ('backup.take', ?, 1)", [schedule]),
  )
  return { MAILSTEAD_BACKUP_SCHEDULE: schedule }
}

interface BackUpOptions {
  readonly passphrase?: string
  readonly withSecret?: boolean
}

/** As `mailstead backup` does it; only for a folder that no server of this process has open. */
export const backUp = (data: string, file: string, { passphrase, withSecret = false }: BackUpOptions = {}) =>
  takeBackup({ folder: data, target: file, passphrase, withSecret }, { clock: systemClock, findSealed })

interface RestoreFrom {
  readonly passphrase?: string
  readonly secretFile?: string | undefined
  readonly newSecret?: boolean
}

const renew = (folder: string) => makeNewSecret(folder, { clock: systemClock, log: silentLog })

/** As `mailstead restore` does it. */
export const restore = (file: string, data: string, { passphrase, secretFile, newSecret }: RestoreFrom = {}) =>
  restoreBackup(
    {
      source: fileSource(file),
      folder: data,
      passphrase,
      secretFile,
      makeNewSecret: newSecret ? renew : undefined,
    },
    systemClock,
  )

/** What is in a folder, without what the lock leaves there. */
export const namesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => !/^mailstead\.(?:lock|pid)/.test(name))
        .sort()
    : []
