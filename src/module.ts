import type { AnyElysia } from "elysia"
import type { Subscriber } from "./bus/bus.ts"
import type { Protect } from "./http/protect.ts"
import type { SmtpService } from "./inbound/types.ts"
import type { JobHandler, Recurring } from "./jobs/define.ts"
import type { AlertState } from "./kernel/alert-state.ts"
import type { Loop } from "./kernel/loop.ts"
import type { ReferenceSource } from "./references.ts"
import type { ClockCorrection } from "./store/clock-correction.ts"
import type { Db } from "./store/database.ts"
import type { EachSlice } from "./store/slices.ts"
import type { Unit } from "./store/writer.ts"

/**
 * A module as the composition root sees it: `modules.ts` lists them once and folds over the list, so that nothing a
 * module contributes can be forgotten. Other modules use only its `actions`.
 */
export interface Module<Actions = unknown> {
  readonly name: string
  /** The functions that routes, commands and higher modules call. */
  readonly actions: Actions
  /** HTTP routes; `protect` puts credentials, limits and idempotency before them (contract A1.6). */
  readonly routes?: (protect: Protect) => AnyElysia
  readonly handlers?: readonly JobHandler[]
  readonly recurring?: readonly Recurring[]
  readonly subscribers?: readonly Subscriber[]
  /** The references of this module's records to those of lower modules. */
  readonly references?: ReferenceSource
  /** Deletes the module's data of a project, in the unit that empties the project (contract B8.3.7). */
  readonly erase?: (unit: Unit, projectId: string) => Promise<void>
  /**
   * Deletes up to `limit` rows of those that a project may have any number of; resolves to how many, 0 when none is left.
   * After that `erase` finds few.
   */
  readonly eraseSome?: (unit: Unit, projectId: string, limit: number) => Promise<number>
  /**
   * Deletes `limit` rows of contacts that are about to be deleted when together they have more; resolves to how many it
   * deleted. What is left goes in the unit that deletes the contacts, which finds few rows then.
   */
  readonly eraseSomeOf?: (unit: Unit, contactIds: readonly string[], limit: number) => Promise<number>
  /** Follows a contact that the unit deletes, with the rows of it that `eraseSomeOf` has left. */
  readonly beforeContactDeletion?: (unit: Unit, projectId: string, contactId: string) => Promise<void>
  /**
   * Ends what must not go on in a project that is disabled (contract B9.4.5), in the unit that disables it, and as much as
   * a unit may hold. The signal `project.disabled` lets the rest follow.
   */
  readonly disable?: (unit: Unit, projectId: string) => Promise<void>
  /** What this module need not keep for ever (contract B10). */
  readonly sweeps?: readonly Sweep[]
  /** The hashes of the files that this module's rows name; a file that no module names is deleted. */
  readonly files?: (db: Db) => PromiseLike<readonly string[]>
  /**
   * Deletes what must not outlast the request that deletes a project: who may enter it, and what another project may want.
   * Everything else goes in the background.
   */
  readonly beforeDeletion?: (unit: Unit, projectId: string) => Promise<void>
  /** Receives the mail of all SMTP ports. At most one module has it. */
  readonly smtp?: SmtpService
  /** Work with its own loop, in addition to those of the bus and the jobs. */
  readonly worker?: Worker
  /** What the owner of the instance is told when it begins and when it ends; asked once a minute. */
  readonly alertStates?: () => Promise<readonly AlertState[]>
  /** Correct the times of this module's rows after the clock was set back. */
  readonly clockCorrections?: readonly ClockCorrection[]
  /** Loads the state in memory and continues the work of an earlier process. Called once, before any loop starts. */
  readonly open?: () => Promise<void>
}

/** Deletes rows whose time has come. It may end anywhere: what it has done is not to do again. */
export interface Sweep {
  /** What it deletes, in a word or two; its figures are stored under this name. */
  readonly name: string
  /**
   * Every ten minutes instead of every `retention.sweep_seconds`, for rows that come fast and are soon of no use; or in
   * the sandbox only, for what belongs to messages, which it deletes all the time.
   */
  readonly often?: true | "sandbox"
  /** After all others: it deletes what belongs to rows that these have deleted. */
  readonly last?: true
  readonly run: (each: EachSlice) => Promise<unknown>
}

/** A loop whose step is public, so that tests run it instead of waiting. */
export interface Worker {
  readonly loop: Loop
  /** Resolves the unfinished work of a dead process. Called once, after every module has been opened. */
  open(): Promise<void>
  /**
   * Does all due work; resolves to its amount. `isPassing` tells that the clock is on its way to a later time: then
   * upkeep, whose result does not depend on the time, may wait.
   */
  drain(isPassing?: boolean): Promise<number>
  /** When its next work is due, in ms, which may have passed; undefined when none is planned. */
  nextDueAt(): Promise<number | undefined>
  /** Finishes running work, for at most `graceMs`. */
  stop(graceMs: number): Promise<void>
}
