import type { DiskEvent } from "./trace.ts"

type Change = Extract<DiskEvent, { is: "write" | "truncate" }>

/** What is left of a change that was not synced: which of its sectors are on disk. */
export type Survival = (change: Change, sector: number) => boolean

const sectorBytes = 512

interface FileState {
  /** On disk whatever happens. */
  durable: Buffer
  /** Since the last sync: each may be lost, or partly there, whichever came first. */
  pending: Change[]
  /** How many of the pending changes a running sync covers, by the thread that runs it. */
  readonly syncs: Map<string, number>
}

/** A disk that keeps only what was synced, and any part of the rest. */
export function createDisk(files: Readonly<Record<string, Buffer>>) {
  const states = new Map<string, FileState>()
  const stateOf = (file: string): FileState => {
    const known = states.get(file) ?? { durable: files[file] ?? Buffer.alloc(0), pending: [], syncs: new Map() }
    states.set(file, known)
    return known
  }
  for (const file of Object.keys(files)) stateOf(file)

  return {
    take(event: DiskEvent): void {
      if (event.is === "acknowledged") return
      const state = stateOf(event.file)
      if (event.is === "write" || event.is === "truncate") state.pending.push(event)
      else if (event.is === "sync begins") state.syncs.set(event.call, state.pending.length)
      else {
        const count = state.syncs.get(event.call) ?? 0
        state.syncs.delete(event.call)
        state.durable = state.pending.slice(0, count).reduce((bytes, change) => applied(bytes, change), state.durable)
        state.pending = state.pending.slice(count)
        // A sync that runs meanwhile covers the rest of what it covered.
        for (const [call, covered] of state.syncs) state.syncs.set(call, Math.max(0, covered - count))
      }
    },
    hasPending: (): boolean => [...states.values()].some(({ pending }) => pending.length > 0),
    isSyncing: (): boolean => [...states.values()].some(({ syncs }) => syncs.size > 0),
    /** The files as the next process finds them. */
    afterPowerCut: (survives: Survival): Map<string, Buffer> =>
      new Map(
        [...states].map(([file, { durable, pending }]) => [
          file,
          pending.reduce((bytes, change) => applied(bytes, change, survives), durable),
        ]),
      ),
  }
}

function applied(before: Buffer, change: Change, survives: Survival = () => true): Buffer {
  if (change.is === "truncate") {
    if (!survives(change, 0)) return before
    const bytes = Buffer.alloc(change.size)
    before.copy(bytes)
    return bytes
  }
  const { at, bytes } = change
  let after = before
  // Sectors of the file, because a disk writes whole ones.
  for (let from = at, sector = 0; from < at + bytes.length; sector++) {
    const to = Math.min(at + bytes.length, (Math.floor(from / sectorBytes) + 1) * sectorBytes)
    if (survives(change, sector)) {
      const grown = Buffer.alloc(Math.max(after.length, to))
      after.copy(grown)
      bytes.copy(grown, from, from - at, to - at)
      after = grown
    }
    from = to
  }
  return after
}
