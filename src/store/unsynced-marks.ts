import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { bytesOfId, idOfBytes } from "../kernel/ids.ts"
import type { Store } from "./store.ts"
import { unusable } from "./unusable.ts"

/** Bytes of an id. */
const idBytes = 16
/** Bytes of a place: an id, its mark, the time in 8 bytes, and zeros; all zeros when it is free. */
const placeBytes = 32
const timeAt = idBytes + 8
/** The text before the places, filled up with blanks. */
const headerBytes = 4 * placeBytes
/** Places that are written with the header, so that they are there when the disk is full. */
const placesAtOnce = 256

const nameInFolder = "begun"

type Owner = Pick<Store, "folder" | "node">

/** A number from 1 to 255, and when something was so marked first, in ms. */
export interface Mark {
  readonly mark: number
  readonly at: number
}

const headerOf = ({ node }: Owner, boot: string): string => `${boot} ${node}`.padEnd(headerBytes - 1).concat("\n")

/** The id of this run of the operating system; undefined where no file tells it, as Linux does. */
function bootId(): string | undefined {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
  } catch {
    return undefined
  }
}

/**
 * The marks by their ids in the file that the process before this one has left in the data folder; undefined when nothing can
 * be concluded from it: it is of another node or another run of the operating system, or there is none.
 */
export function readUnsyncedMarks(owner: Owner): ReadonlyMap<string, Mark> | undefined {
  const boot = bootId()
  if (boot === undefined) return undefined
  try {
    const content = readFileSync(join(owner.folder, nameInFolder))
    if (content.toString("latin1", 0, headerBytes) !== headerOf(owner, boot)) return undefined
    const marks = new Map<string, Mark>()
    for (let place = headerBytes; place + placeBytes <= content.length; place += placeBytes) {
      const mark = content[place + idBytes] ?? 0
      if (mark === 0) continue
      marks.set(idOfBytes(content.subarray(place, place + idBytes)), { mark, at: content.readDoubleLE(place + timeAt) })
    }
    return marks
  } catch {
    return undefined
  }
}

/** To be called before another state of the database takes the place of the one that the marks belong to. */
export const discardUnsyncedMarks = (folder: string): void => rmSync(join(folder, nameInFolder), { force: true })

/**
 * Marks of ids in a file that is written but never synced, so that a mark costs microseconds: a killed process leaves it as it
 * was, a machine that stops may not.
 */
export interface UnsyncedMarks {
  /** The time is that of the first mark since the id had none. @throws when it cannot be written */
  set(id: string, mark: number, at: number): void
  /** When the id was marked; undefined when it is not. */
  timeOf(id: string): number | undefined
  /** What cannot be written stays. */
  remove(id: string): void
  close(): void
}

/** Begins with no marks. @throws when the file that the process before has left cannot be deleted */
export function createUnsyncedMarks(owner: Owner): UnsyncedMarks {
  const path = join(owner.folder, nameInFolder)
  const boot = bootId()
  const known = new Map<string, { readonly place: number; readonly at: number }>()
  const free: number[] = []
  const content = Buffer.alloc(placeBytes)
  let fd: number | undefined
  let closed = false
  try {
    rmSync(path, { force: true })
  } catch (cause) {
    throw unusable(path, cause)
  }
  // Where that fails, because the disk is full, say, the first mark tries again.
  attempt(open)

  /** Without an id of the run of the system nothing could be concluded from a file, so there is none. */
  function open(): number | undefined {
    if (fd !== undefined || boot === undefined) return fd
    const opened = openSync(path, "w", 0o600)
    try {
      write(opened, Buffer.from(headerOf(owner, boot).padEnd(headerBytes + placesAtOnce * placeBytes, "\0")), 0)
    } catch (cause) {
      closeSync(opened)
      rmSync(path, { force: true })
      throw cause
    }
    fd = opened
    return fd
  }

  function put(place: number, bytes: Uint8Array): void {
    if (closed) throw new Error("The server stops.")
    const opened = open()
    if (opened !== undefined) write(opened, bytes, headerBytes + place * placeBytes)
  }

  return {
    timeOf: (id) => known.get(id)?.at,
    set(id, mark, now) {
      const found = known.get(id)
      const { place, at } = found ?? { place: free.at(-1) ?? known.size, at: now }
      content.set(bytesOfId(id) as Uint8Array)
      content[idBytes] = mark
      content.writeDoubleLE(at, timeAt)
      put(place, content)
      if (found === undefined) free.pop()
      known.set(id, { place, at })
    },
    remove(id) {
      const found = known.get(id)
      if (found === undefined || !attempt(() => put(found.place, noMark))) return
      known.delete(id)
      free.push(found.place)
    },
    close() {
      if (fd !== undefined) closeSync(fd)
      fd = undefined
      closed = true
    },
  }
}

const noMark = new Uint8Array(placeBytes)

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
