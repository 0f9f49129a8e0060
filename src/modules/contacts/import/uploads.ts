import { createReadStream } from "node:fs"
import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { createDurably, notStored } from "../../../store/files.ts"

/** Uploaded files from their arrival to the end of their import; each belongs to one job and bears its id. */
export interface Uploads {
  /** On disk, fsync included, when it resolves. Rejects with a `DomainError` of kind `unavailable`. */
  keep(id: string, bytes: Uint8Array): Promise<void>
  has(id: string): Promise<boolean>
  read(id: string): AsyncIterable<Uint8Array>
  remove(id: string): Promise<void>
  /** Removes what no job wants: left by a process that died between file and row, or between row and removal. */
  removeAllBut(ids: readonly string[]): Promise<void>
}

/** A piece of a file is parsed in one go, which takes a millisecond. */
const pieceBytes = 65_536

export function openUploads(dataFolder: string): Uploads {
  const folder = join(dataFolder, "imports")
  const pathOf = (id: string) => join(folder, `${id}.csv`)
  const remove = (id: string) => rm(pathOf(id), { force: true })
  return {
    async keep(id, bytes) {
      try {
        await createDurably(pathOf(id), bytes)
      } catch (cause) {
        await remove(id).catch(() => {})
        throw notStored(cause)
      }
    },
    has: (id) => Bun.file(pathOf(id)).exists(),
    read: (id) => createReadStream(pathOf(id), { highWaterMark: pieceBytes }),
    remove,
    async removeAllBut(ids) {
      const wanted = new Set(ids.map((id) => `${id}.csv`))
      const names = await readdir(folder).catch(() => [])
      await Promise.all(
        names.filter((name) => !wanted.has(name)).map((name) => rm(join(folder, name), { force: true })),
      )
    },
  }
}
