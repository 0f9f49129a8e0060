import type { Database } from "bun:sqlite"
import { type Clock, isWithin } from "../../kernel/clock.ts"
import { DomainError } from "../../kernel/errors.ts"
import { type Log, reasonOf } from "../../kernel/log.ts"
import type { Db } from "../database.ts"
import { type Scope, storeClosing, type Unit, type WriteLane, type Writer } from "../writer.ts"
import { createCommitDelay } from "./commit-delay.ts"
import { busyMs } from "./connection.ts"
import { createDeliveryTurns } from "./delivery-turns.ts"
import { isBusy, isDamage, isStoreFault } from "./faults.ts"
import { OpenUnit } from "./open-unit.ts"
import { createSavepoint, createStartOfTransaction, type Savepoint } from "./savepoint.ts"
import { guardUnits, type UnitGuard } from "./unit-guard.ts"
import { createUnitQueue, type Waiting } from "./unit-queue.ts"

type Ended = { waiting: Waiting; unit: OpenUnit; value?: unknown; failure?: unknown; failed: boolean }

/** Observes every transaction. */
interface TransactionWatch {
  /** Throws when no transaction may begin now. */
  beginning(): void
  /** Resolves when everything that is committed now is on disk; rejects when that has failed. */
  sync(): Promise<void>
  /** A transaction of so many units was committed, which took so long, and its sync is running. */
  committed(units: number, ms: number): void
  /** A transaction is on disk. */
  synced(): void
  failed(): void
}

/** Enough units to share a sync. */
const unitsPerCommit = 256
/**
 * The pause between two attempts, in ms: shorter than a command that writes slice after slice pauses between its
 * slices.
 */
const busyPauseMs = 1

interface WriterDeps {
  readonly clock: Clock
  readonly realClock: Clock
  readonly log: Log
}

/**
 * Group commit: waiting units run one after another, each under its own savepoint, inside one transaction that is
 * committed once. The commit itself does not wait for the disk: the log is synced afterwards, off the event loop, and only
 * then do the promises of the units settle and their callbacks run. A transaction that has changed no row, when all earlier
 * ones are on disk, needs no sync. A failed unit is rolled back without effect on others; a transaction that cannot be
 * committed fails all of its units.
 *
 * Other connections, and the units that follow, see a transaction before it is on disk. What a power failure could undo
 * must not get outside before that:
 * - What follows from a unit does not, because its promise settles after a sync of the log, which contains every earlier
 *   transaction too. So a hand-over of mail or a request of a workflow that was claimed in a unit rests on nothing that
 *   can be undone.
 * - What follows from a read outside of units could: an answer that an idempotency key was used, the data that a webhook
 *   tells, or a domain that a provider is told to forget. So HTTP answers, the requests of workflows and calls of mail
 *   providers about domains wait for `settled`. What the hand-over of a claimed mail reads besides does not wait:
 *   the name of the project shapes the mail only, and a consent that a power failure would undo was given all the same. A live
 *   stream of events is fed by callbacks after commits.
 */
export function createWriter(
  client: Database,
  db: Db,
  { clock, realClock, log }: WriterDeps,
  watching: TransactionWatch,
): Writer {
  client.run("PRAGMA busy_timeout = 0")
  const begin = client.prepare("BEGIN IMMEDIATE")
  const commit = client.prepare("COMMIT")
  const savepoint = createSavepoint(client)
  const transactionStart = createStartOfTransaction(client)
  const changedRows = client.prepare<{ count: number }, []>("SELECT total_changes() AS count")
  const changes = () => changedRows.get()?.count
  const commitDelay = createCommitDelay()
  const queue = createUnitQueue()
  const turns = createDeliveryTurns(realClock)
  let draining: Promise<void> | undefined
  /** The end of the last transaction that is not on disk yet. It never rejects. */
  let settling: Promise<void> | undefined
  let closed = false

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      // Units that come while a sync is running share one transaction, unless there are enough for a whole one.
      if (queue.length < unitsPerCommit) await settling
      await commitDelay.wait(() => (queue.length < unitsPerCommit ? queue.length : Number.POSITIVE_INFINITY))
      const withRequests = await turns.mayRunRequests(() => queue.has("delivery"))
      await runBatch(queue.take(unitsPerCommit, withRequests))
    }
    draining = undefined
  }

  /** Waits for another process that is writing, without SQLite's own busy timeout, which blocks the event loop. */
  async function beginTransaction(): Promise<void> {
    for (const until = performance.now() + busyMs; ; await Bun.sleep(busyPauseMs)) {
      try {
        begin.run()
        return
      } catch (cause) {
        if (!isBusy(cause) || performance.now() >= until) throw cause
      }
    }
  }

  async function runBatch(batch: Waiting[]): Promise<void> {
    const ended: Ended[] = []
    let guard: UnitGuard | undefined
    let committedAt = 0
    let commitMs = 0
    let isChanged = true
    try {
      watching.beginning()
      await beginTransaction()
      guard = guardUnits()
      const before = changes()
      const began = realClock.now()
      const msPerCommit = turns.msPerCommit()
      // Takes one unit of each lane, so that neither lane has to wait while the units of the other are long.
      const least = new Set(batch.map(({ lane }) => lane)).size
      for (const waiting of batch) {
        if (ended.length >= least && !isWithin(msPerCommit, realClock.now(), began)) break
        ended.push(await runUnit(waiting, guard, batch.length === 1 ? transactionStart : savepoint))
      }
      isChanged = changes() !== before
      committedAt = performance.now()
      commit.run()
      commitMs = performance.now() - committedAt
    } catch (cause) {
      rollback()
      watching.failed()
      const refusal = storeFault(cause)
      log.error("A transaction could not be committed", { units: batch.length, reason: reasonOf(cause) })
      for (const waiting of batch) waiting.reject(refusal)
      return
    } finally {
      guard?.stop()
    }
    queue.putBack(batch.slice(ended.length))
    if (isChanged || settling !== undefined) {
      const current = settle(ended, committedAt)
      settling = current
      void current.then(() => {
        if (settling === current) settling = undefined
      })
    } else settleNow(ended)
    watching.committed(ended.length, commitMs)
  }

  /** Waits for the disk, then settles the promises of the units. Never rejects. */
  async function settle(ended: readonly Ended[], committedAt: number): Promise<void> {
    try {
      await watching.sync()
    } catch (cause) {
      watching.failed()
      for (const { waiting } of ended) waiting.reject(cause)
      return
    }
    commitDelay.synced(ended.length, queue.length, performance.now() - committedAt)
    settleNow(ended)
    watching.synced()
  }

  function settleNow(ended: readonly Ended[]): void {
    for (const { waiting, value, failure, failed } of ended) failed ? waiting.reject(failure) : waiting.resolve(value)
    for (const { unit, failed } of ended) if (!failed) unit.callbacks.forEach(runCallback)
  }

  /** The commit is done, whether or not its callbacks fail. */
  function runCallback(run: () => void): void {
    try {
      run()
    } catch (cause) {
      log.error("A callback after a commit failed", { reason: reasonOf(cause) })
    }
  }

  async function runUnit(waiting: Waiting, guard: UnitGuard, before: Savepoint): Promise<Ended> {
    const unit = new OpenUnit(client, db, clock.now())
    before.set()
    try {
      const value = await guard.within(waiting.work(unit))
      unit.end()
      before.release()
      return { waiting, unit, value, failed: false }
    } catch (failure) {
      unit.end()
      // SQLite ends the whole transaction by itself on a full disk or an I/O error: then all of its units fail.
      if (!client.inTransaction || isStoreFault(failure)) throw failure
      before.rollback()
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
    write<T>(_scope: Scope, work: (unit: Unit) => Promise<T>, lane: WriteLane = "requests"): Promise<T> {
      if (closed) return Promise.reject(storeClosing())
      return new Promise<T>((resolve, reject) => {
        queue.add({ lane, work, resolve: resolve as (value: unknown) => void, reject })
        draining ??= drain()
      })
    },
    preferDelivery: turns.prefer,
    settled: () => settling,
    async close() {
      closed = true
      await draining
      await settling
    },
  }
}

const storeFault = (cause: unknown): DomainError =>
  new DomainError(
    "unavailable",
    "STORE_UNAVAILABLE",
    isDamage(cause)
      ? "The database is damaged, and nothing was changed: restore a backup."
      : "The data could not be stored. Nothing was changed; try again later.",
    isStoreFault(cause) && !isDamage(cause)
      ? { suggestion: "Check the free space and the permissions of the data folder." }
      : {},
  )
