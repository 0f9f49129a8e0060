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
  /** Deletes the module's rows of a project, in the unit that empties the project (contract B8.3.7). */
  readonly erase?: (unit: Unit, projectId: string) => Promise<void>
  /**
   * Deletes up to `limit` rows of the tables that may be large; resolves to their number, 0 when none is left. It is
   * called until then, in short units, so that `erase` has few rows to delete.
   */
  readonly eraseSome?: (unit: Unit, projectId: string, limit: number) => Promise<number>
  /**
   * For contacts that are about to be deleted: deletes `limit` of their rows if together they have more than that, and
   * resolves to how many it deleted. The rest, which is then small, is deleted in the unit that deletes the contacts.
   */
  readonly eraseSomeOf?: (unit: Unit, contactIds: readonly string[], limit: number) => Promise<number>
  /** Deletes the remaining rows of a contact, in the unit that deletes the contact. */
  readonly beforeContactDeletion?: (unit: Unit, projectId: string, contactId: string) => Promise<void>
  /**
   * Ends running work of a project, in the unit that disables it (contract B9.4.5): as much as one unit may change. The
   * rest follows by the signal `project.disabled`.
   */
  readonly disable?: (unit: Unit, projectId: string) => Promise<void>
  /** Deletions of rows that need not be kept (contract B10). */
  readonly sweeps?: readonly Sweep[]
  /** The hashes of the files that this module's rows refer to. Files that no module refers to are deleted. */
  readonly files?: (db: Db) => PromiseLike<readonly string[]>
  /**
   * Deletes what must be gone when the request that deletes a project is answered: memberships, and names that another
   * project may want to use. Everything else is deleted in the background.
   */
  readonly beforeDeletion?: (unit: Unit, projectId: string) => Promise<void>
  /** Receives the mail of all SMTP ports. At most one module has it. */
  readonly smtp?: SmtpService
  /** Work with its own loop, in addition to those of the bus and the jobs. */
  readonly worker?: Worker
  /**
   * Conditions that the owner of the instance is alerted to, when they begin and when they end. Asked once a minute.
   */
  readonly alertStates?: () => Promise<readonly AlertState[]>
  /** Correct the times of this module's rows after the clock was set back. */
  readonly clockCorrections?: readonly ClockCorrection[]
  /** Loads the state in memory and continues the work of an earlier process. Called once, before any loop starts. */
  readonly open?: () => Promise<void>
}

/**
 * Deletes rows whose retention period has ended. It may be interrupted at any point and continues with the next run.
 */
export interface Sweep {
  /** What it deletes, in a word or two. Its counts are stored under this name. */
  readonly name: string
  /**
   * When it runs instead of every `retention.sweep_seconds`: every ten minutes, for short-lived rows that are written
   * often; or in the sandbox only, which deletes messages all the time.
   */
  readonly often?: true | "sandbox"
  /** Runs after all others, because it deletes what belonged to rows that those have deleted. */
  readonly last?: true
  readonly run: (each: EachSlice) => Promise<unknown>
}

/** A loop whose step is public, so that tests run it instead of waiting. */
export interface Worker {
  readonly loop: Loop
  /** Resolves the unfinished work of a dead process. Called once, after every module has been opened. */
  open(): Promise<void>
  /**
   * Does all due work and resolves to its amount. With `isPassing` a manual clock is on its way to a later time:
   * maintenance whose result does not depend on the time may then wait.
   */
  drain(isPassing?: boolean): Promise<number>
  /** When its next work is due, in ms, possibly in the past; undefined when none is planned. */
  nextDueAt(): Promise<number | undefined>
  /** Finishes running work, for at most `graceMs`. */
  stop(graceMs: number): Promise<void>
}
