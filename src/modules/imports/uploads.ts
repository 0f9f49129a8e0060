import { createReadStream } from "node:fs"
import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { createDurably, notStored } from "../../store/files.ts"

/** Uploaded files, from their arrival to the end of their import. Each belongs to one job and is named by its id. */
export interface Uploads {
  /** On disk, fsync included, when it resolves. Rejects with a `DomainError` of kind `unavailable`. */
  save(id: string, bytes: Uint8Array): Promise<void>
  has(id: string): Promise<boolean>
  read(id: string): AsyncIterable<Uint8Array>
  remove(id: string): Promise<void>
  /** Removes what no job needs: left by a process that ended between file and row, or between row and removal. */
  removeAllBut(ids: readonly string[]): Promise<void>
}

/** A piece of a file is parsed at once, which takes a millisecond. */
const pieceBytes = 65_536

export function openUploads(dataFolder: string): Uploads {
  const folder = join(dataFolder, "imports")
  const pathOf = (id: string) => join(folder, `${id}.csv`)
  const remove = (id: string) => rm(pathOf(id), { force: true })
  return {
    async save(id, bytes) {
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
      const needed = new Set(ids.map((id) => `${id}.csv`))
      const names = await readdir(folder).catch(() => [])
      await Promise.all(
        names.filter((name) => !needed.has(name)).map((name) => rm(join(folder, name), { force: true })),
      )
    },
  }
}
