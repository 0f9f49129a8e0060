import { createReadStream, existsSync, mkdirSync, rmSync, statSync, utimesSync } from "node:fs"
import { open, readdir, readFile, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type Clock, systemClock } from "../kernel/clock.ts"
import { DomainError } from "../kernel/errors.ts"
import { syncFolder as syncFolderOnDisk } from "./sync.ts"
import { unusable } from "./unusable.ts"
import { isUnavailable } from "./writer.ts"

/** Bytes and the SHA-256 under which they are stored. */
export interface Content {
  readonly hash: string
  readonly bytes: Uint8Array
}

export const contentOf = (bytes: Uint8Array): Content => ({
  hash: new Bun.CryptoHasher("sha256").update(bytes).digest("hex"),
  bytes,
})

/** Byte contents outside the database, under `files/` by their SHA-256. */
export interface Files {
  /**
   * Resolves to the hash once the bytes are on disk, fsync included. Keeping the same bytes again only checks for the
   * file. If they cannot be stored it rejects with a `DomainError` of kind `unavailable` and leaves nothing behind.
   */
  keep(bytes: Uint8Array): Promise<string>
  /**
   * Keeps contents while `name` stores the rows that refer to them. If the request is refused, contents that were new
   * are removed again, unless another call has successfully kept the same bytes meanwhile.
   */
  keepFor<T>(contents: readonly Content[], name: () => Promise<T>): Promise<T>
  read(hash: string): Promise<Uint8Array>
  /** The bytes, read from the disk as they are consumed. */
  open(hash: string): Blob
  remove(hash: string): Promise<void>
  /** The hash of every file. */
  list(): AsyncIterable<string>
  /** Removes a file and returns its size; undefined, without removing it, if it was kept again since `at`, in ms. */
  removeUnlessKeptSince(hash: string, at: number): number | undefined
  /** Files with another purpose, in this folder beside `files/`. */
  named(folder: string): NamedFiles
}

/** Files whose names are each used once. All were made by this process or an earlier one of the same data folder. */
interface NamedFiles {
  /** On disk, fsync included, when it resolves; otherwise it leaves nothing and rejects as `keep` does. */
  save(name: string, bytes: Uint8Array): Promise<void>
  has(name: string): Promise<boolean>
  /** Yields pieces of 64 KiB, which take about a millisecond to parse. */
  read(name: string): AsyncIterable<Uint8Array>
  remove(name: string): Promise<void>
  list(): Promise<string[]>
}

interface FilesOptions {
  /** The clock by which the time of the last use of a file is stored. */
  readonly clock?: Pick<Clock, "now">
  /** `exclusive` is for the one process that holds the folder: half-written files of an earlier one are removed. */
  readonly access?: "exclusive" | "shared"
  /** Tests delay it. */
  readonly syncFolder?: (path: string) => Promise<void>
}

export function openFiles(folder: string, options: FilesOptions = {}): Files {
  const { clock = systemClock, access = "exclusive", syncFolder = syncFolderOnDisk } = options
  const root = join(folder, "files")
  const drafts = join(root, "drafts")
  if (access === "exclusive") clear(drafts)
  const pathOf = (hash: string) => join(root, hash.slice(0, 2), hash)
  /** Checks for the file and updates its time in one call, so that it cannot be removed in between. */
  function touch(path: string): boolean {
    if (!existsSync(path)) return false
    const at = clock.now() / 1_000
    utimesSync(path, at, at)
    return true
  }
  /** Contents that are being stored. In memory, because only the process that holds the folder keeps files. */
  const storing = new Map<string, Promise<boolean>>()
  /** Folders that this process has synced, with the names that an earlier process may have left unsynced. */
  const synced = new Set<string>()

  /** Resolves to whether the file is new. If another call is storing it, waits until that has synced its name. */
  async function store(content: Content): Promise<boolean> {
    const { hash } = content
    for (let other = storing.get(hash); other !== undefined; other = storing.get(hash)) await other.catch(() => {})
    const work = storeNow(content).finally(() => storing.delete(hash))
    storing.set(hash, work)
    return work
  }

  async function storeNow({ hash, bytes }: Content): Promise<boolean> {
    const path = pathOf(hash)
    if (touch(path)) {
      await syncOnce(dirname(path))
      return false
    }
    const draft = join(drafts, crypto.randomUUID())
    try {
      const made = makeFolder(dirname(path))
      makeFolder(drafts)
      await writeBytes(draft, bytes)
      await rename(draft, path)
      touch(path)
      await syncNames(dirname(path), made, syncFolder)
    } catch (cause) {
      await rm(draft, { force: true }).catch(() => {})
      throw notStored(cause)
    }
    return true
  }

  /** A killed process may have created a name without syncing it. */
  async function syncOnce(folder: string): Promise<void> {
    if (synced.has(folder)) return
    try {
      await syncFolder(folder)
    } catch (cause) {
      throw notStored(cause)
    }
    synced.add(folder)
  }

  const holds = new Map<string, Hold>()

  function hold({ hash }: Content): void {
    const held = holds.get(hash) ?? { calls: 0, isNew: false, mayBeNamed: false }
    held.calls++
    holds.set(hash, held)
  }

  function release({ hash }: Content, mayBeNamed: boolean): void {
    const held = holds.get(hash)
    if (held === undefined) return
    held.mayBeNamed ||= mayBeNamed
    if (--held.calls > 0) return
    holds.delete(hash)
    if (held.isNew && !held.mayBeNamed) removeNow(pathOf(hash))
  }

  return {
    async keep(bytes) {
      const content = contentOf(bytes)
      await store(content)
      const held = holds.get(content.hash)
      if (held) held.mayBeNamed = true
      return content.hash
    },
    async keepFor(contents, name) {
      for (const content of contents) hold(content)
      let mayBeNamed = false
      try {
        const stored = await Promise.allSettled(
          contents.map(async (content) => {
            if (await store(content)) (holds.get(content.hash) as Hold).isNew = true
          }),
        )
        for (const each of stored) if (each.status === "rejected") throw each.reason
        mayBeNamed = true
        return await name()
      } catch (cause) {
        if (isRefusal(cause)) mayBeNamed = false
        throw cause
      } finally {
        for (const content of contents) release(content, mayBeNamed)
      }
    },
    read: (hash) => readFile(pathOf(hash)),
    open: (hash) => Bun.file(pathOf(hash)),
    remove: (hash) => rm(pathOf(hash), { force: true }),
    named: (name) => namedFiles(join(folder, name), drafts),
    async *list() {
      const folders = await readdir(root).catch(() => [])
      for (const name of folders)
        if (name.length === 2) for (const hash of await readdir(join(root, name)).catch(() => [])) yield hash
    },
    removeUnlessKeptSince(hash, at) {
      const path = pathOf(hash)
      const found = statSync(path, { throwIfNoEntry: false })
      if (found === undefined || found.mtimeMs >= at) return undefined
      rmSync(path, { force: true })
      return found.size
    },
  }
}

/** Left half-written by an earlier process. */
function clear(drafts: string): void {
  try {
    rmSync(drafts, { recursive: true, force: true })
  } catch (cause) {
    throw unusable(drafts, cause)
  }
}

/**
 * The running calls of `keepFor` for one content. In memory, because only the process that holds the folder keeps
 * files; what a kill leaves behind is removed with all other files that no row refers to.
 */
interface Hold {
  calls: number
  /** Whether one of them has created the file. */
  isNew: boolean
  /** Whether a row may refer to it, because one of them was not refused. */
  mayBeNamed: boolean
}

/** A refusal means that nothing was stored; after any other failure a row may exist. */
const isRefusal = (cause: unknown): boolean => cause instanceof DomainError && !isUnavailable(cause)

/** Synchronously, so that no other call finds the file before it is removed. */
function removeNow(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // It is removed later, with all other files that no row refers to.
  }
}

/** A file has its name when it is complete: a backup may copy it at any time. */
function namedFiles(folder: string, drafts: string): NamedFiles {
  const pathOf = (name: string) => join(folder, name)
  const remove = (name: string) => rm(pathOf(name), { force: true })
  return {
    async save(name, bytes) {
      const draft = join(drafts, crypto.randomUUID())
      try {
        const made = makeFolder(folder)
        makeFolder(drafts)
        await writeBytes(draft, bytes)
        await rename(draft, pathOf(name))
        await syncNames(folder, made)
      } catch (cause) {
        for (const path of [draft, pathOf(name)]) await rm(path, { force: true }).catch(() => {})
        throw notStored(cause)
      }
    },
    has: async (name) => existsSync(pathOf(name)),
    read: (name) => createReadStream(pathOf(name), { highWaterMark: 65_536 }),
    remove,
    list: () => readdir(folder).catch(() => []),
  }
}

/** Returns the first folder that had to be made. */
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

/** A new name is durable only once its folder is synced; otherwise a power failure can lose the file. */
async function syncNames(folder: string, made: string | undefined, syncFolder = syncFolderOnDisk): Promise<void> {
  await syncFolder(folder)
  if (made === undefined) return
  for (let at = folder; at !== dirname(made); at = dirname(at)) await syncFolder(dirname(at))
}

function notStored(cause: unknown): DomainError {
  const code = String((cause as { code?: unknown } | null)?.code ?? "unknown")
  const message = `A file could not be stored (${code}). Nothing was changed; try again later.`
  return new DomainError("unavailable", "STORE_UNAVAILABLE", message, {
    suggestion: "Check the free space and the permissions of the data folder.",
  })
}
