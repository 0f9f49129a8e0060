import type { Database } from "bun:sqlite"

interface DataVersion {
  /** Differs from earlier results once another connection has committed; looked at once per turn and millisecond. */
  current(): number
  /** Makes the next call read the database again. */
  forget(): void
  close(): void
}

/**
 * The number of commits by other connections, as one connection sees it. Reading it takes the locks of a transaction,
 * about 10 µs, so it is read once per turn of the event loop, and again after a millisecond, because a turn may take
 * long.
 */
export function watchDataVersion(client: Database): DataVersion {
  const version = client.prepare<{ data_version: number }, []>("PRAGMA data_version")
  let known: number | undefined
  let lookedAt = 0
  const forget = () => {
    known = undefined
  }
  return {
    current() {
      const now = performance.now()
      if (known === undefined || now - lookedAt > 1) {
        if (known === undefined) setImmediate(forget)
        known = version.get()?.data_version ?? 0
        lookedAt = now
      }
      return known
    },
    forget,
    close: () => version.finalize(),
  }
}
