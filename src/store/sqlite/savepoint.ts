import type { Database } from "bun:sqlite"

/** The state of the open transaction before a unit, to which it returns when the unit fails. */
export interface Savepoint {
  set(): void
  release(): void
  /** Undoes what was changed since `set`, and releases. */
  rollback(): void
}

/** For a unit that shares its transaction with others. SQLite copies each page that changes after a savepoint. */
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
 * For a unit with a transaction of its own: the start of the transaction serves as the savepoint, at no cost.
 * `rollback` begins another, empty transaction, which locks nothing.
 */
export function createStartOfTransaction(client: Database): Savepoint {
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
