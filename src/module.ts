import type { AnyElysia } from "elysia"
import type { Subscriber } from "./bus/bus.ts"
import type { Protect } from "./http/protect.ts"
import type { JobHandler, Recurring } from "./jobs/define.ts"
import type { ReferenceSource } from "./references.ts"

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
  /** Prepares what is kept in memory and takes up what an earlier process left. Called once, before any loop starts. */
  readonly open?: () => Promise<void>
}
