import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { bytesOfId, idOfBytes } from "../kernel/ids.ts"
import type { Store } from "./store.ts"
import { unusable } from "./unusable.ts"

/** Bytes of an id. */
const idBytes = 16
/** Bytes of a slot: an id, its mark, the time in 8 bytes, and zeros. A free slot is all zeros. */
const slotBytes = 32
const timeAt = idBytes + 8
/** The header text before the slots, padded with blanks. */
const headerBytes = 4 * slotBytes
/** Slots that are written together with the header, so that they can be used when the disk is full. */
const initialSlots = 256

const nameInFolder = "begun"

type Owner = Pick<Store, "folder" | "node">

/** A number from 1 to 255, and the time of the first mark, in ms. */
export interface Mark {
  readonly mark: number
  readonly at: number
}

const headerOf = ({ node }: Owner, boot: string): string => `${boot} ${node}`.padEnd(headerBytes - 1).concat("\n")

/** The boot id of the operating system; undefined where there is none, that is, outside of Linux. */
function bootId(): string | undefined {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
  } catch {
    return undefined
  }
}

/**
 * The marks that the previous process has left in the data folder, by id. Undefined when they cannot be trusted: the
 * file is missing, of another node, or from before a reboot.
 */
export function readUnsyncedMarks(owner: Owner): ReadonlyMap<string, Mark> | undefined {
  const boot = bootId()
  if (boot === undefined) return undefined
  try {
    const content = readFileSync(join(owner.folder, nameInFolder))
    if (content.toString("latin1", 0, headerBytes) !== headerOf(owner, boot)) return undefined
    const marks = new Map<string, Mark>()
    for (let slot = headerBytes; slot + slotBytes <= content.length; slot += slotBytes) {
      const mark = content[slot + idBytes] ?? 0
      if (mark === 0) continue
      marks.set(idOfBytes(content.subarray(slot, slot + idBytes)), { mark, at: content.readDoubleLE(slot + timeAt) })
    }
    return marks
  } catch {
    return undefined
  }
}

/** Deletes the marks. Call it before the database is replaced by another state, to which they do not belong. */
export const discardUnsyncedMarks = (folder: string): void => rmSync(join(folder, nameInFolder), { force: true })

/**
 * Marks of ids in a file that is written but never synced, so that a mark takes microseconds. The marks survive a kill
 * of the process, but not a power failure.
 */
export interface UnsyncedMarks {
  /** Keeps the time of the first mark if the id has one. @throws when it cannot be written */
  set(id: string, mark: number, at: number): void
  /** When the id was marked; undefined when it is not. */
  timeOf(id: string): number | undefined
  /** A mark that cannot be removed stays. */
  remove(id: string): void
  close(): void
}

/** Starts without marks. @throws when the file of the previous process cannot be deleted */
export function createUnsyncedMarks(owner: Owner): UnsyncedMarks {
  const path = join(owner.folder, nameInFolder)
  const boot = bootId()
  const known = new Map<string, { readonly slot: number; readonly at: number }>()
  const free: number[] = []
  const content = Buffer.alloc(slotBytes)
  let fd: number | undefined
  let closed = false
  try {
    rmSync(path, { force: true })
  } catch (cause) {
    throw unusable(path, cause)
  }
  // If this fails, for example on a full disk, the first mark tries again.
  attempt(open)

  /** Without a boot id the marks could never be trusted, so no file is written. */
  function open(): number | undefined {
    if (fd !== undefined || boot === undefined) return fd
    const opened = openSync(path, "w", 0o600)
    try {
      write(opened, Buffer.from(headerOf(owner, boot).padEnd(headerBytes + initialSlots * slotBytes, "\0")), 0)
    } catch (cause) {
      closeSync(opened)
      rmSync(path, { force: true })
      throw cause
    }
    fd = opened
    return fd
  }

  function put(slot: number, bytes: Uint8Array): void {
    if (closed) throw new Error("The server stops.")
    const opened = open()
    if (opened !== undefined) write(opened, bytes, headerBytes + slot * slotBytes)
  }

  return {
    timeOf: (id) => known.get(id)?.at,
    set(id, mark, now) {
      const found = known.get(id)
      const { slot, at } = found ?? { slot: free.at(-1) ?? known.size, at: now }
      content.set(bytesOfId(id) as Uint8Array)
      content[idBytes] = mark
      content.writeDoubleLE(at, timeAt)
      put(slot, content)
      if (found === undefined) free.pop()
      known.set(id, { slot, at })
    },
    remove(id) {
      const found = known.get(id)
      if (found === undefined || !attempt(() => put(found.slot, noMark))) return
      known.delete(id)
      free.push(found.slot)
    },
    close() {
      if (fd !== undefined) closeSync(fd)
      fd = undefined
      closed = true
    },
  }
}

const noMark = new Uint8Array(slotBytes)

function write(fd: number, bytes: Uint8Array, at: number): void {
  if (writeSync(fd, bytes, 0, bytes.length, at) !== bytes.length) throw new Error("The disk has no room.")
}

function attempt(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
