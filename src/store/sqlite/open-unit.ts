import type { Database } from "bun:sqlite"
import type { Db } from "../database.ts"
import type { Unit } from "../writer.ts"

/** A unit while its work runs. */
export class OpenUnit implements Unit {
  private ended = false
  readonly callbacks: (() => void)[] = []
  constructor(
    private readonly client: Database,
    private readonly handle: Db,
    readonly now: number,
  ) {}
  get db(): Db {
    if (this.ended) throw new Error("This unit of work has ended.")
    // SQLite ends the whole transaction on some faults: writes of a unit that continued now could not be rolled back.
    if (!this.client.inTransaction) throw new Error("The transaction of this unit of work is gone.")
    return this.handle
  }
  afterCommit(run: () => void): void {
    this.callbacks.push(run)
  }
  end(): void {
    this.ended = true
  }
}
