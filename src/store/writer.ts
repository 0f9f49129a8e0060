import type { Database } from "bun:sqlite"
import type { Clock } from "../kernel/clock.ts"
import { DomainError } from "../kernel/errors.ts"
import { type Log, reasonOf } from "../kernel/log.ts"
import { createCommitDelay } from "./commit-delay.ts"
import type { Db } from "./database.ts"

/** The capability to change rows: it exists only inside `store.write`, and is dead once that unit has ended. */
export interface Unit {
  readonly db: Db
  /** One instant for everything this unit writes. */
  readonly now: number
  /** Runs after the commit, never after a rollback. For waking loops; what must not be lost is a row of this unit. */
  afterCommit(run: () => void): void
}

/** The id of the project whose rows a unit changes, or `instance` for rows of several projects or of none. */
export type Scope = string

export interface Writer {
  /** Runs one unit of work, durable when the promise resolves. The unit may be run again, so it touches nothing else. */
  write<T>(scope: Scope, work: (unit: Unit) => Promise<T>): Promise<T>
  /** Lets waiting units finish, refuses new ones. */
  close(): Promise<void>
}

interface Waiting {
  work: (unit: Unit) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (cause: unknown) => void
}

type Ended = { waiting: Waiting; unit: OpenUnit; value?: unknown; failure?: unknown; failed: boolean }

/** Units and time per transaction: enough to share an fsync, little enough to let the event loop turn. */
const unitsPerCommit = 256
const msPerCommit = 25

const awaitedTheWorld = "A unit of work awaited something other than the store."

class OpenUnit implements Unit {
  private ended = false
  readonly later: (() => void)[] = []
  constructor(
    private readonly client: Database,
    private readonly handle: Db,
    readonly now: number,
  ) {}
  get db(): Db {
    if (this.ended) throw new Error("This unit of work has ended.")
    // SQLite ends the whole transaction on some faults: what a unit that goes on would write now, nobody could undo.
    if (!this.client.inTransaction) throw new Error("The transaction of this unit of work is gone.")
    return this.handle
  }
  afterCommit(run: () => void): void {
    this.later.push(run)
  }
  end(): void {
    this.ended = true
  }
}

/**
 * Group commit (design 4): waiting units run one after another, each under its own savepoint, inside one transaction
 * that is committed once; only then do their promises settle. A unit that fails leaves nothing and hurts no other;
 * a transaction that cannot be committed fails all of its units, and the next one starts afresh. `committed` is told of
 * every one that could.
 */
export function createWriter(client: Database, db: Db, clock: Clock, log: Log, committed: () => void): Writer {
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
    const guard = watchTheLoop()
    try {
      begin.run()
      const until = clock.now() + msPerCommit
      for (const waiting of batch) {
        if (ended.length > 0 && clock.now() >= until) break
        ended.push(await runUnit(waiting, guard))
      }
      const started = performance.now()
      commit.run()
      commitDelay.committed(ended.length, performance.now() - started)
    } catch (cause) {
      rollback()
      const refusal = storeFault(cause)
      log.error("A transaction could not be committed", { units: batch.length, reason: reasonOf(cause) })
      for (const waiting of batch) waiting.reject(refusal)
      return
    } finally {
      guard.stop()
    }
    queue = [...batch.slice(ended.length), ...queue]
    for (const { waiting, value, failure, failed } of ended) failed ? waiting.reject(failure) : waiting.resolve(value)
    for (const { unit, failed } of ended) if (!failed) unit.later.forEach(runLater)
    committed()
  }

  /** The commit stands, whatever becomes of what follows it. */
  function runLater(run: () => void): void {
    try {
      run()
    } catch (cause) {
      log.error("What was to follow a commit failed", { reason: reasonOf(cause) })
    }
  }

  async function runUnit(waiting: Waiting, guard: LoopGuard): Promise<Ended> {
    const unit = new OpenUnit(client, db, clock.now())
    savepoint.run()
    try {
      const value = await guard.within(waiting.work(unit))
      unit.end()
      release.run()
      return { waiting, unit, value, failed: false }
    } catch (failure) {
      unit.end()
      // SQLite ends the whole transaction by itself on a full disk or an I/O error: then nothing of it can be kept.
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

interface LoopGuard {
  within<T>(work: Promise<T>): Promise<T>
  stop(): void
}

/**
 * bun:sqlite answers within microtasks, so a unit that is pending when none is left has awaited the world. A tick that
 * a microtask asks for comes just then; an immediate would come later, when a quick answer of the world is there already.
 */
function watchTheLoop(): LoopGuard {
  let breach: ((cause: Error) => void) | undefined
  let watching = true
  const watch = (): void => queueMicrotask(() => process.nextTick(nothingLeft))
  function nothingLeft(): void {
    if (!watching) return
    breach?.(new Error(awaitedTheWorld))
    watch()
  }
  watch()
  return {
    within: <T>(work: Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        breach = reject
        work.then(resolve, reject)
      }),
    stop() {
      watching = false
    },
  }
}

const storeFaults = [
  "SQLITE_FULL",
  "SQLITE_IOERR",
  "SQLITE_READONLY",
  "SQLITE_CORRUPT",
  "SQLITE_CANTOPEN",
  "SQLITE_NOMEM",
  "SQLITE_BUSY",
]

/** The database engine itself failed, also when Drizzle has wrapped the cause. */
export function isStoreFault(cause: unknown): boolean {
  for (let at = cause, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code = (at as { code?: unknown }).code
    if (typeof code === "string" && storeFaults.some((name) => code.startsWith(name))) return true
  }
  return false
}

/** Whether the store as a whole cannot take writes now: nothing the unit could have done better. */
export const isUnavailable = (cause: unknown): boolean =>
  isStoreFault(cause) || (cause instanceof DomainError && cause.kind === "unavailable")

const storeFault = (cause: unknown): DomainError =>
  new DomainError(
    "unavailable",
    "STORE_UNAVAILABLE",
    "The data could not be stored. Nothing was changed; try again later.",
    {
      ...(isStoreFault(cause) ? { suggestion: "Check the free space and the permissions of the data folder." } : {}),
    },
  )
