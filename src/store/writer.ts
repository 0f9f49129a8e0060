import { DomainError } from "../kernel/errors.ts"
import type { Db } from "./database.ts"
import { isStoreFault, lacksParent } from "./sqlite/faults.ts"

export { isStoreFault, lacksParent }

/** The capability to change rows. It exists only inside `store.write` and is invalid once the unit has ended. */
export interface Unit {
  readonly db: Db
  /** One instant for everything this unit writes. */
  readonly now: number
  /**
   * Runs when the commit is on disk, never after a rollback. Meant for waking loops; anything that must not be lost is a row of
   * this unit.
   */
  afterCommit(run: () => void): void
}

/** The id of the project whose rows a unit changes, or `instance` for rows of several projects or of none. */
export type Scope = string

/** Units of `delivery`, which claim mail and record what became of it, do not wait for many of the others. */
export type WriteLane = "delivery" | "requests"

export interface Writer {
  /** Runs one unit of work, durable when the promise resolves. The unit may run again, so it has no other effects. */
  write<T>(scope: Scope, work: (unit: Unit) => Promise<T>, lane?: WriteLane): Promise<T>
  /**
   * Reports that due mail has waited too long: for half a second, units of the delivery go before those of requests.
   */
  preferDelivery(): void
  /**
   * Resolves when every transaction that other connections can see now is on disk, or when that has failed; undefined when
   * all are. To be awaited before anything gets outside that follows from a read and not from a unit.
   */
  settled(): Promise<void> | undefined
  /** Finishes waiting units, refuses new ones. */
  close(): Promise<void>
}

/** The error of every read and write once the store is closing. */
export const storeClosing = (): DomainError =>
  new DomainError("unavailable", "SHUTTING_DOWN", "The server is stopping.")

/** Whether the store as a whole cannot be written now, through no fault of the unit. */
export const isUnavailable = (cause: unknown): boolean =>
  isStoreFault(cause) || (cause instanceof DomainError && cause.kind === "unavailable")
