import { accessSync, constants, statSync } from "node:fs"
import { DomainError } from "../../kernel/errors.ts"
import { type Log, reasonOf } from "../../kernel/log.ts"

/** Checks whether the open files are still those of the data folder. */
interface FileWatch {
  /** Throws when the database or its log was deleted or replaced: writes would be lost. Costs two calls of stat. */
  requireSame(): void
  /** Throws when the database may not be written, for example because its file system is read-only now. */
  requireWritable(): void
}

/** A file is the same while its device and inode are. The log exists from the first write on. */
export function watchFiles(path: string, log: Log): FileWatch {
  const opened = new Map<string, string>()
  let wasSame = true

  function changed(): string | undefined {
    for (const file of [path, `${path}-wal`]) {
      const before = opened.get(file)
      const now = identityOf(file)
      if (before === undefined && now !== undefined) opened.set(file, now)
      else if (before !== now) return `${file} was ${now === undefined ? "deleted or moved" : "replaced"}`
    }
    return undefined
  }

  changed()
  return {
    requireSame() {
      const change = changed()
      if (change !== undefined && wasSame)
        log.error(`${change} while the server runs. Nothing is written any more: put it back, or restart the server.`)
      if (change === undefined && !wasSame) log.info("The database is back: writing goes on.")
      wasSame = change === undefined
      if (change !== undefined) throw new DomainError("unavailable", "STORE_UNAVAILABLE", `${change}.`)
    },
    requireWritable() {
      try {
        accessSync(path, constants.W_OK)
      } catch (cause) {
        throw new DomainError("unavailable", "STORE_UNAVAILABLE", `${path} cannot be written: ${reasonOf(cause)}`)
      }
    },
  }
}

function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}
