import type { AnyElysia } from "elysia"
import type { Subscriber } from "./bus/bus.ts"
import type { Protect } from "./http/protect.ts"
import type { SmtpService } from "./inbound/types.ts"
import type { JobHandler, Recurring } from "./jobs/define.ts"
import type { Loop } from "./kernel/loop.ts"
import type { ReferenceSource } from "./references.ts"
import type { ClockCorrection } from "./store/clock-correction.ts"
import type { Unit } from "./store/writer.ts"

/**
 * A module as the composition root sees it: `modules.ts` lists them once and folds over the list, so that nothing a
 * module brings can be left unwired. Other modules see its `actions` only.
 */
export interface Module<Actions = unknown> {
  readonly name: string
  /** The verbs that routes, commands and higher modules call. */
  readonly actions: Actions
  /** HTTP routes; `protect` puts credentials, limits and idempotency before them (contract A1.6). */
  readonly routes?: (protect: Protect) => AnyElysia
  readonly handlers?: readonly JobHandler[]
  readonly recurring?: readonly Recurring[]
  readonly subscribers?: readonly Subscriber[]
  /** What of this module names records of lower ones. */
  readonly references?: ReferenceSource
  /** Removes what the module has of a project, in the unit that empties it (contract B8.3.7). */
  readonly erase?: (unit: Unit, projectId: string) => Promise<void>
  /** What takes the mail of the SMTP submission port. At most one module has it. */
  readonly smtp?: SmtpService
  /** Work with a loop of its own, beside those of the bus and of the jobs. */
  readonly worker?: Worker
  /** Puts right the times of this module's rows after the clock was set back. */
  readonly clockCorrections?: readonly ClockCorrection[]
  /** Prepares what is kept in memory and takes up what an earlier process left. Called once, before any loop starts. */
  readonly open?: () => Promise<void>
}

/** A loop whose step is public, so that tests run it instead of waiting. */
export interface Worker {
  readonly loop: Loop
  /** Settles what a dead process left under way. Called once, after every module has been opened. */
  open(): Promise<void>
  /** Does all that is due; resolves to how much that was. */
  drain(): Promise<number>
  /** Finishes what is under way, for at most `graceMs`. */
  stop(graceMs: number): Promise<void>
}
