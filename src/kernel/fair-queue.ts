/** A queue of work by project: one piece of each project runs at a time, and projects take turns. */
interface FairQueue<T> {
  add(projectId: string, work: T): void
  /** Takes the next piece of work of a project that has none running. */
  begin(): T | undefined
  /** The running work of a project has ended. */
  end(projectId: string): void
  /** How many pieces of work of the project wait. */
  waiting(projectId: string): number
  /** Removes and returns all waiting work. */
  drain(): T[]
}

export function createFairQueue<T>(): FairQueue<T> {
  /** In the order of the turns. */
  const waiting = new Map<string, T[]>()
  const busy = new Set<string>()
  return {
    add(projectId, work) {
      const own = waiting.get(projectId)
      if (own) own.push(work)
      else waiting.set(projectId, [work])
    },
    begin() {
      for (const [projectId, own] of waiting) {
        if (busy.has(projectId)) continue
        const work = own.shift()
        waiting.delete(projectId)
        if (own.length > 0) waiting.set(projectId, own)
        busy.add(projectId)
        return work
      }
      return undefined
    },
    end(projectId) {
      busy.delete(projectId)
    },
    waiting: (projectId) => waiting.get(projectId)?.length ?? 0,
    drain() {
      const all = [...waiting.values()].flat()
      waiting.clear()
      return all
    },
  }
}
