import { createReadStream, existsSync, mkdirSync, rmSync, statSync, utimesSync } from "node:fs"
import { open, readdir, readFile, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type Clock, systemClock } from "../kernel/clock.ts"
import { DomainError } from "../kernel/errors.ts"

/** Bytes that are not rows: they lie under `files/` by the SHA-256 of their content. */
export interface Files {
  /**
   * On disk, fsync included, when it resolves to the hash. Keeping the same bytes again costs a look. When they cannot
   * be stored it rejects with a `DomainError` of kind `unavailable` and leaves nothing behind.
   */
  keep(bytes: Uint8Array): Promise<string>
  read(hash: string): Promise<Uint8Array>
  remove(hash: string): Promise<void>
  /** Every file that is there, by its hash. */
  list(): AsyncIterable<string>
  /** Removes a file that nobody has kept since `at`, in ms; false when it stays. */
  removeUnlessKeptSince(hash: string, at: number): boolean
  /** Files for a purpose of their own, in this folder beside `files/`. */
  named(folder: string): NamedFiles
}

/** Files under names that are each used once, all of them made by this process or an earlier one of the data folder. */
export interface NamedFiles {
  /** On disk, fsync included, when it resolves; otherwise it leaves nothing and rejects as `keep` does. */
  save(name: string, bytes: Uint8Array): Promise<void>
  has(name: string): Promise<boolean>
  /** In pieces of 64 KiB, which take about a millisecond to parse. */
  read(name: string): AsyncIterable<Uint8Array>
  remove(name: string): Promise<void>
  list(): Promise<string[]>
}

export interface FilesOptions {
  /** Tells when a file was last kept. */
  readonly clock?: Pick<Clock, "now">
  /** `exclusive` is for the one process that holds the folder: what an earlier one left half-written is removed. */
  readonly access?: "exclusive" | "shared"
}

export function openFiles(folder: string, { clock = systemClock, access = "exclusive" }: FilesOptions = {}): Files {
  const root = join(folder, "files")
  const drafts = join(root, "drafts")
  if (access === "exclusive") rmSync(drafts, { recursive: true, force: true })
  const pathOf = (hash: string) => join(root, hash.slice(0, 2), hash)
  /** Looks and touches in one go, so that nothing is removed between the two. */
  function touch(path: string): boolean {
    if (!existsSync(path)) return false
    const at = clock.now() / 1_000
    utimesSync(path, at, at)
    return true
  }
  return {
    async keep(bytes) {
      const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex")
      const path = pathOf(hash)
      if (touch(path)) return hash
      const draft = join(drafts, crypto.randomUUID())
      try {
        const made = makeFolder(dirname(path))
        makeFolder(drafts)
        await writeBytes(draft, bytes)
        await rename(draft, path)
        touch(path)
        await syncNames(dirname(path), made)
      } catch (cause) {
        await rm(draft, { force: true }).catch(() => {})
        throw notStored(cause)
      }
      return hash
    },
    read: (hash) => readFile(pathOf(hash)),
    remove: (hash) => rm(pathOf(hash), { force: true }),
    named: (name) => namedFiles(join(folder, name)),
    async *list() {
      const folders = await readdir(root).catch(() => [])
      for (const name of folders)
        if (name.length === 2) for (const hash of await readdir(join(root, name)).catch(() => [])) yield hash
    },
    removeUnlessKeptSince(hash, at) {
      const path = pathOf(hash)
      const found = statSync(path, { throwIfNoEntry: false })
      if (found === undefined || found.mtimeMs >= at) return false
      rmSync(path, { force: true })
      return true
    },
  }
}

function namedFiles(folder: string): NamedFiles {
  const pathOf = (name: string) => join(folder, name)
  const remove = (name: string) => rm(pathOf(name), { force: true })
  return {
    async save(name, bytes) {
      try {
        const made = makeFolder(folder)
        await writeBytes(pathOf(name), bytes)
        await syncNames(folder, made)
      } catch (cause) {
        await remove(name).catch(() => {})
        throw notStored(cause)
      }
    },
    has: async (name) => existsSync(pathOf(name)),
    read: (name) => createReadStream(pathOf(name), { highWaterMark: 65_536 }),
    remove,
    list: () => readdir(folder).catch(() => []),
  }
}

/** Resolves to the first folder that had to be made. */
const makeFolder = (path: string): string | undefined => mkdirSync(path, { recursive: true, mode: 0o700 })

async function writeBytes(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A name is on disk only when its folder is: without this, power that fails can take the file along. */
async function syncNames(folder: string, made: string | undefined): Promise<void> {
  await syncFolder(folder)
  if (made === undefined) return
  for (let at = folder; at !== dirname(made); at = dirname(at)) await syncFolder(dirname(at))
}

async function syncFolder(path: string): Promise<void> {
  // Windows has no such thing.
  if (process.platform === "win32") return
  const folder = await open(path, "r")
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function notStored(cause: unknown): DomainError {
  const code = String((cause as { code?: unknown } | null)?.code ?? "unknown")
  const message = `A file could not be stored (${code}). Nothing was changed; try again later.`
  return new DomainError("unavailable", "STORE_UNAVAILABLE", message, {
    suggestion: "Check the free space and the permissions of the data folder.",
  })
}
