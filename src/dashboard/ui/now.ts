/** Where the clock of the sandbox stands, in ms; null while the server's time is that of the browser. */
let stands: number | null = null
const listeners = new Set<() => void>()

/** Tells the dashboard where the clock of the sandbox stands. */
export function standAt(at: number): void {
  if (at === stands) return
  stands = at
  for (const listener of listeners) listener()
}

/** The time of `standAt`, with `watchStanding` for React's `useSyncExternalStore`. */
export const standingTime = (): number | null => stands

export function watchStanding(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The present time of the server, in ms. */
export const presentTime = (): number => stands ?? Date.now()
