import type { Engine } from "../../engine.ts"
import type { Period } from "../../http/period.ts"
import type { Db } from "../../store/database.ts"
import { isReservedName } from "./reserved.ts"
import { countContactsOf, countEvents, countNames, countNamesWithin, type NameCount } from "./tally.ts"

/** Something with a name that refers to an event. */
export interface EventUser {
  readonly id: string
  readonly name: string
}

/** What only higher rooms know of an event name. */
export interface NamePorts {
  /** Segments whose condition names it. */
  usedInSegments(db: Db, projectId: string, name: string): Promise<readonly EventUser[]>
  /** Workflows that trigger on it or wait for it. */
  usedInWorkflows(db: Db, projectId: string, name: string): Promise<readonly EventUser[]>
  /** Whether an enabled workflow triggers on it. */
  startsWorkflow(db: Db, projectId: string, name: string): Promise<boolean>
}

export interface EventUsage {
  readonly segments: readonly EventUser[]
  readonly workflows: readonly EventUser[]
  readonly totalCount: number
  readonly uniqueContacts: number
  readonly canDelete: boolean
}

/** Names of events and how often they occur. What looks at many events does so off the event loop. */
export function eventNames({ store, ...ports }: Pick<Engine, "store"> & NamePorts) {
  const db = store.read
  return {
    /** The most frequent first, names of the service among them (contract B4.2.6). */
    names: async (projectId: string): Promise<string[]> => (await countNames(db, projectId)).map(({ name }) => name),

    /** How often each name occurs in a period (contract B4.2.5). */
    async stats(projectId: string, period: Period): Promise<readonly NameCount[]> {
      const isEver = period.from === undefined && period.to === undefined
      return isEver
        ? countNames(db, projectId)
        : store.readPool.read<NameCount>(countNamesWithin(db, projectId, period))
    },

    /** Who refers to a name, and how often it occurs (contract B4.2.7). */
    async usage(projectId: string, name: string): Promise<EventUsage> {
      const totalCount = await countEvents(db, projectId, name)
      const [people] =
        totalCount === 0 ? [] : await store.readPool.read<{ count: number }>(countContactsOf(db, projectId, name))
      return {
        segments: await ports.usedInSegments(db, projectId, name),
        workflows: await ports.usedInWorkflows(db, projectId, name),
        totalCount,
        uniqueContacts: people?.count ?? 0,
        canDelete: !isReservedName(name) && !(await ports.startsWorkflow(db, projectId, name)),
      }
    },
  }
}
