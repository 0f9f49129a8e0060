import { accessSync, constants, existsSync, rmSync, statSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { unusable } from "../unusable.ts"

/** The folder of the backups that a server takes by itself. It touches only files whose names it is given. */
interface BackupFolder {
  /** Makes the folder when it is missing. */
  prepare(): Promise<void>
  /** Why no file can be made in it, in a sentence, or it cannot be made itself; undefined when that can be done. */
  fault(): string | undefined
  pathOf(name: string): string
  has(name: string): boolean
  /** The size of a complete backup, which alone has this name; undefined when there is none. */
  bytesOf(name: string): number | undefined
  /** The bytes, read from the disk as they are consumed. */
  open(name: string): Blob
  /** Removes also what an interrupted run has left of it. */
  remove(name: string): void
}

export function openBackupFolder(folder: string): BackupFolder {
  const pathOf = (name: string) => join(folder, name)
  const has = (name: string) => existsSync(pathOf(name))
  return {
    async prepare() {
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause) => {
        throw unusable(folder, cause)
      })
    },
    fault() {
      let at = resolve(folder)
      while (!existsSync(at)) at = dirname(at)
      try {
        if (!statSync(at).isDirectory()) throw Object.assign(new Error("not a directory"), { code: "ENOTDIR" })
        accessSync(at, constants.W_OK | constants.X_OK)
        return undefined
      } catch (cause) {
        return unusable(at, cause).message
      }
    },
    pathOf,
    has,
    bytesOf(name) {
      const found = has(name) ? statSync(pathOf(name)) : undefined
      // Where there are no links, an empty file has the name for a moment (`takeBackup`).
      return found?.isFile() && found.size > 0 ? found.size : undefined
    },
    open: (name) => Bun.file(pathOf(name)),
    remove(name) {
      for (const path of [pathOf(name), `${pathOf(name)}.part`]) rmSync(path, { force: true })
    },
  }
}
