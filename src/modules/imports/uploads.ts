import type { Files } from "../../store/files.ts"

/** Uploaded files, from their arrival to the end of their import. Each belongs to one job and is named by its id. */
export interface Uploads {
  /** On disk, fsync included, when it resolves. Rejects with a `DomainError` of kind `unavailable`. */
  save(id: string, bytes: Uint8Array): Promise<void>
  has(id: string): Promise<boolean>
  read(id: string): AsyncIterable<Uint8Array>
  remove(id: string): Promise<void>
  /** Removes files that no job needs, left by a process that ended before it stored the row or removed the file. */
  removeAllBut(ids: readonly string[]): Promise<void>
}

export function openUploads(files: Files): Uploads {
  const stored = files.named("imports")
  const nameOf = (id: string) => `${id}.csv`
  return {
    save: (id, bytes) => stored.save(nameOf(id), bytes),
    has: (id) => stored.has(nameOf(id)),
    read: (id) => stored.read(nameOf(id)),
    remove: (id) => stored.remove(nameOf(id)),
    async removeAllBut(ids) {
      const needed = new Set(ids.map(nameOf))
      const unneeded = (await stored.list()).filter((name) => !needed.has(name))
      await Promise.all(unneeded.map(stored.remove))
    },
  }
}
