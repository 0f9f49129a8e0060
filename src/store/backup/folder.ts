import { existsSync, rmSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { unusable } from "../unusable.ts"

/** The folder of the backups that a server takes by itself. It touches only files whose names it is given. */
export interface BackupFolder {
  /** Makes the folder when it is missing. */
  prepare(): Promise<void>
  pathOf(name: string): string
  has(name: string): boolean
  /** The bytes, read from the disk as they are consumed. */
  open(name: string): Blob
  /** Also what an interrupted run has left of it. */
  remove(name: string): void
}

export function openBackupFolder(folder: string): BackupFolder {
  const pathOf = (name: string) => join(folder, name)
  return {
    async prepare() {
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause) => {
        throw unusable(folder, cause)
      })
    },
    pathOf,
    has: (name) => existsSync(pathOf(name)),
    open: (name) => Bun.file(pathOf(name)),
    remove(name) {
      for (const path of [pathOf(name), `${pathOf(name)}.part`]) rmSync(path, { force: true })
    },
  }
}
