import type { Database } from "bun:sqlite"

/** The state of the open transaction before a unit. */
export interface Savepoint {
  set(): void
  release(): void
  /** Takes back what was changed since `set`, and releases. */
  rollback(): void
}

/** Of a unit beside others: SQLite copies each page that is changed after it. */
export function createSavepoint(client: Database): Savepoint {
  const set = client.prepare("SAVEPOINT unit")
  const release = client.prepare("RELEASE unit")
  const rollback = client.prepare("ROLLBACK TO unit")
  return {
    set: () => void set.run(),
    release: () => void release.run(),
    rollback() {
      rollback.run()
      release.run()
    },
  }
}

/**
 * Of a unit that is alone, which is the beginning of the transaction and costs nothing. After `rollback` the transaction is
 * empty and locks nothing.
 */
export function createSavepointOfBeginning(client: Database): Savepoint {
  const rollback = client.prepare("ROLLBACK")
  const begin = client.prepare("BEGIN")
  return {
    set() {},
    release() {},
    rollback() {
      rollback.run()
      begin.run()
    },
  }
}
