import type { Database } from "bun:sqlite"
import type { Clock } from "../../kernel/clock.ts"
import { DomainError } from "../../kernel/errors.ts"
import { type Log, reasonOf } from "../../kernel/log.ts"
import type { Db } from "../database.ts"
import type { Scope, Unit, Writer } from "../writer.ts"
import { createCommitDelay } from "./commit-delay.ts"
import { isStoreFault } from "./faults.ts"
import { guardUnits, type UnitGuard } from "./unit-guard.ts"

interface Waiting {
  work: (unit: Unit) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (cause: unknown) => void
}

type Ended = { waiting: Waiting; unit: OpenUnit; value?: unknown; failure?: unknown; failed: boolean }

/** Observes every transaction. */
export interface TransactionWatch {
  /** Throws when no transaction may begin now. */
  beginning(): void
  /** How many units it had, and how long the commit itself took. */
  committed(units: number, ms: number): void
  failed(): void
}

/** The limits of a transaction: enough units to share an fsync, and short enough not to block the event loop. */
const unitsPerCommit = 256
const msPerCommit = 25

class OpenUnit implements Unit {
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

interface WriterDeps {
  readonly clock: Clock
  readonly realClock: Clock
  readonly log: Log
}

/**
 * Group commit: waiting units run one after another, each under its own savepoint, inside one transaction that is
 * committed once; only then do their promises settle. A failed unit is rolled back without effect on others; a
 * transaction that cannot be committed fails all of its units.
 */
export function createWriter(
  client: Database,
  db: Db,
  { clock, realClock, log }: WriterDeps,
  watching: TransactionWatch,
): Writer {
  const begin = client.prepare("BEGIN IMMEDIATE")
  const commit = client.prepare("COMMIT")
  const savepoint = client.prepare("SAVEPOINT unit")
  const release = client.prepare("RELEASE unit")
  const undo = client.prepare("ROLLBACK TO unit")
  const commitDelay = createCommitDelay()
  let queue: Waiting[] = []
  let running = false
  let closed = false
  const whenIdle: (() => void)[] = []

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      await commitDelay.wait(() => Math.min(queue.length, unitsPerCommit))
      const batch = queue.slice(0, unitsPerCommit)
      queue = queue.slice(unitsPerCommit)
      await runBatch(batch)
    }
    running = false
    for (const resolve of whenIdle.splice(0)) resolve()
  }

  async function runBatch(batch: Waiting[]): Promise<void> {
    const ended: Ended[] = []
    const guard = guardUnits()
    let commitMs = 0
    try {
      watching.beginning()
      begin.run()
      const began = realClock.now()
      for (const waiting of batch) {
        // In both directions, for a clock may be set back.
        if (ended.length > 0 && Math.abs(realClock.now() - began) >= msPerCommit) break
        ended.push(await runUnit(waiting, guard))
      }
      const started = performance.now()
      commit.run()
      commitMs = performance.now() - started
      commitDelay.committed(ended.length, commitMs)
    } catch (cause) {
      rollback()
      watching.failed()
      const refusal = storeFault(cause)
      log.error("A transaction could not be committed", { units: batch.length, reason: reasonOf(cause) })
      for (const waiting of batch) waiting.reject(refusal)
      return
    } finally {
      guard.stop()
    }
    queue = [...batch.slice(ended.length), ...queue]
    for (const { waiting, value, failure, failed } of ended) failed ? waiting.reject(failure) : waiting.resolve(value)
    for (const { unit, failed } of ended) if (!failed) unit.callbacks.forEach(runCallback)
    watching.committed(ended.length, commitMs)
  }

  /** The commit is done, whether or not its callbacks fail. */
  function runCallback(run: () => void): void {
    try {
      run()
    } catch (cause) {
      log.error("A callback after a commit failed", { reason: reasonOf(cause) })
    }
  }

  async function runUnit(waiting: Waiting, guard: UnitGuard): Promise<Ended> {
    const unit = new OpenUnit(client, db, clock.now())
    savepoint.run()
    try {
      const value = await guard.within(waiting.work(unit))
      unit.end()
      release.run()
      return { waiting, unit, value, failed: false }
    } catch (failure) {
      unit.end()
      // SQLite ends the whole transaction by itself on a full disk or an I/O error: then all of its units fail.
      if (!client.inTransaction || isStoreFault(failure)) throw failure
      undo.run()
      release.run()
      return { waiting, unit, failure, failed: true }
    }
  }

  function rollback(): void {
    try {
      if (client.inTransaction) client.run("ROLLBACK")
    } catch (cause) {
      log.error("A transaction could not be rolled back", { reason: reasonOf(cause) })
    }
  }

  return {
    write<T>(_scope: Scope, work: (unit: Unit) => Promise<T>): Promise<T> {
      if (closed) return Promise.reject(new DomainError("unavailable", "SHUTTING_DOWN", "The server is stopping."))
      return new Promise<T>((resolve, reject) => {
        queue.push({ work, resolve: resolve as (value: unknown) => void, reject })
        if (running) return
        running = true
        void drain()
      })
    },
    async close() {
      closed = true
      if (running) await new Promise<void>((resolve) => whenIdle.push(resolve))
    },
  }
}

const storeFault = (cause: unknown): DomainError =>
  new DomainError(
    "unavailable",
    "STORE_UNAVAILABLE",
    "The data could not be stored. Nothing was changed; try again later.",
    {
      ...(isStoreFault(cause) ? { suggestion: "Check the free space and the permissions of the data folder." } : {}),
    },
  )
