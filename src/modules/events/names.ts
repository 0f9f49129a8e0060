import type { Engine } from "../../engine.ts"
import type { Period } from "../../http/period.ts"
import type { Reference } from "../../references.ts"
import { isReservedName } from "./reserved.ts"
import { countSince, storedKeys } from "./store.ts"
import { usualKeysOf } from "./stored-data.ts"
import { countContactsOf, countEvents, countNames, countNamesWithin, type NameCount } from "./tally.ts"

/** A named record that refers to an event. */
interface EventUser {
  readonly id: string
  readonly name: string
}

export interface EventUsage {
  readonly segments: readonly EventUser[]
  readonly workflows: readonly EventUser[]
  readonly totalCount: number
  readonly uniqueContacts: number
  readonly canDelete: boolean
}

interface EventReach {
  readonly events: number
  readonly contacts: number
}

/** The events whose keys are offered as fields. */
const newestEvents = 100

/** Names of events and how often they occur. Queries over many events run in the read pool, off the event loop. */
export function createEventNames({ store, references }: Pick<Engine, "store" | "references">) {
  const db = store.read
  return {
    /** The most frequent first, including names of the service (contract B4.2.6). */
    names: async (projectId: string): Promise<string[]> => (await countNames(db, projectId)).map(({ name }) => name),

    /** How often each name occurs in a period (contract B4.2.5). */
    async stats(projectId: string, period: Period): Promise<readonly NameCount[]> {
      const isEver = period.from === undefined && period.to === undefined
      return isEver
        ? countNames(db, projectId)
        : store.readPool.read(projectId, (db) => countNamesWithin(db, projectId, period))
    },

    /** The top-level keys in the data of the newest 100 events, of one name or of all. */
    async keys(projectId: string, name: string | undefined): Promise<string[]> {
      const found = await store.readPool.read(projectId, (db) => storedKeys(db, projectId, name, newestEvents))
      const names = new Set(found.map((each) => each.name))
      return [...new Set([...found.map(({ key }) => key), ...[...names].flatMap(usualKeysOf)])]
    },

    /** How often an event was recorded for contacts since a time, and for how many of them. */
    async reach(projectId: string, name: string, since: number): Promise<EventReach> {
      const [found] = await store.readPool.read(projectId, (db) => countSince(db, projectId, name, since))
      return found ?? { events: 0, contacts: 0 }
    },

    /** What refers to a name, and how often it occurs (contract B4.2.7). */
    async usage(projectId: string, name: string): Promise<EventUsage> {
      const totalCount = await countEvents(db, projectId, name)
      const [people] =
        totalCount === 0 ? [] : await store.readPool.read(projectId, (db) => countContactsOf(db, projectId, name))
      const uses = await references.to(db, projectId, { kind: "event", key: name })
      return {
        segments: namedIn(uses, "segment"),
        workflows: namedIn(uses, "workflow"),
        totalCount,
        uniqueContacts: people?.count ?? 0,
        canDelete: !isReservedName(name) && !uses.some(({ blocks }) => blocks),
      }
    },
  }
}

/** The records of a kind that refer to something, each once: a step counts as its workflow. */
function namedIn(uses: readonly Reference[], by: "segment" | "workflow"): EventUser[] {
  const found = uses.flatMap(({ by: kind, id, name, within }) => {
    if (kind === by) return [{ id, name }]
    return by === "workflow" && kind === "workflowStep" && within ? [within] : []
  })
  return [...new Map(found.map((one) => [one.id, one])).values()]
}
