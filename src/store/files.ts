import { existsSync, mkdirSync } from "node:fs"
import { open, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"

/** Bytes that are not rows: they lie under `files/` by the SHA-256 of their content (design 4). */
export interface Files {
  /** On disk, fsync included, when it resolves to the hash. Keeping the same bytes again costs a look. */
  keep(bytes: Uint8Array): Promise<string>
  read(hash: string): Promise<Uint8Array>
  remove(hash: string): Promise<void>
}

export function openFiles(folder: string): Files {
  const root = join(folder, "files")
  const pathOf = (hash: string) => join(root, hash.slice(0, 2), hash)
  return {
    async keep(bytes) {
      const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex")
      const path = pathOf(hash)
      if (existsSync(path)) return hash
      mkdirSync(join(root, hash.slice(0, 2)), { recursive: true, mode: 0o700 })
      const draft = `${path}.${crypto.randomUUID()}`
      const file = await open(draft, "w", 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
      return hash
    },
    read: (hash) => readFile(pathOf(hash)),
    remove: (hash) => rm(pathOf(hash), { force: true }),
  }
}
