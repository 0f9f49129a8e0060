import { createFairQueue } from "./fair-queue.ts"

/** Runs work of which there is one piece at a time. Projects take turns, so that much work of one delays no other's. */
type InTurn = <T>(projectId: string, work: () => Promise<T>) => Promise<T>

interface Turn {
  readonly projectId: string
  /** Never rejects. */
  take(): Promise<void>
}

export function createTurns(): InTurn {
  const waiting = createFairQueue<Turn>()
  let isBusy = false

  async function next(): Promise<void> {
    const turn = isBusy ? undefined : waiting.begin()
    if (turn === undefined) return
    isBusy = true
    await turn.take()
    isBusy = false
    waiting.end(turn.projectId)
    void next()
  }

  return (projectId, work) =>
    new Promise((resolve, reject) => {
      waiting.add(projectId, { projectId, take: () => work().then(resolve, reject) })
      void next()
    })
}
