import type { SQL } from "drizzle-orm"
import type { Engine } from "../../../engine.ts"
import { malformed } from "../../../kernel/errors.ts"
import type { Reference } from "../../../references.ts"
import type { Db } from "../../../store/database.ts"
import type { Actor } from "../../audit/index.ts"
import { countContacts } from "../store.ts"
import type { FieldType } from "../table.ts"
import { contactRangeOf, isInWindow, readWindows, windowsOf } from "../windows.ts"
import type { FieldDrops } from "./drop.ts"
import { coreFields, type FieldName, shownName } from "./name.ts"
import { countHolders, listFields, listValues, locateField, type Primitive } from "./store.ts"
import { compareValues, createLeast } from "./values.ts"

/** Something that refers to a field. */
interface FieldUser {
  readonly id: string
  readonly name: string
}

interface FieldUses {
  readonly segments: readonly FieldUser[]
  readonly campaigns: readonly FieldUser[]
  readonly workflows: readonly FieldUser[]
}

/** An entry of the field catalogue (contract A5.7). */
interface CatalogueItem {
  readonly field: string
  readonly type: FieldType
  readonly isCustom: boolean
  /** The share of contacts that have it, 0 to 1. */
  readonly coverage: number
}

interface FieldUsage extends FieldUses {
  readonly contactCount: number
}

/** Contacts of one read: some milliseconds on a thread. */
const rowsPerStep = 5_000

interface FieldDeps extends Pick<Engine, "store" | "references">, Pick<FieldDrops, "drop"> {}

export function createFieldActions({ store, references, drop }: FieldDeps) {
  const db = store.read

  /** The result of a query for each part of the project's contacts. */
  async function readAll<R>(projectId: string, query: (db: Db, within: SQL) => Promise<R>): Promise<R[]> {
    const range = await contactRangeOf(db, projectId)
    return readWindows(store.readPool, projectId, windowsOf(range, rowsPerStep), (db, window) =>
      query(db, isInWindow(range, window)),
    )
  }

  async function contactCountOf(projectId: string, name: FieldName): Promise<number> {
    if ("core" in name) return totalOf(projectId)
    const location = await locateField(db, projectId, name.custom)
    if (location === undefined) return 0
    if (location.path.length === 1) return location.field.contactCount
    const counts = await readAll(projectId, (db, within) => countHolders(db, within, location.path))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  async function totalOf(projectId: string): Promise<number> {
    const { subscribed, unsubscribed } = await countContacts(db, projectId)
    return subscribed + unsubscribed
  }

  return {
    /** The core fields and every key of data that the project has seen, by name (contract A5.7). */
    async list(projectId: string): Promise<CatalogueItem[]> {
      const total = await totalOf(projectId)
      const core = Object.entries(coreFields).map(([field, type]) => ({ field, type, isCustom: false, coverage: 1 }))
      const custom = (await listFields(db, projectId)).map(({ key, type, contactCount }) => {
        const coverage = total === 0 ? 0 : Math.round((contactCount / total) * 10_000) / 10_000
        return { field: shownName({ custom: key }), type, isCustom: true, coverage }
      })
      return [...core, ...custom].sort((one, other) => compareValues(one.field, other.field))
    },

    /** The first distinct primitive values of a field, ascending (contract A5.8). */
    async values(projectId: string, name: FieldName, limit: number): Promise<Primitive[]> {
      if ("core" in name) return name.core === "subscribed" ? [true, false].slice(0, limit) : []
      const location = await locateField(db, projectId, name.custom)
      if (location === undefined) return []
      const kept = createLeast(limit)
      await readAll(projectId, async (db, within) => kept.add(await listValues(db, within, location.path)))
      return kept.least()
    },

    async usage(projectId: string, name: FieldName): Promise<FieldUsage> {
      const uses = await references.to(db, projectId, { kind: "field", key: shownName(name) })
      return { ...usesIn(uses), contactCount: await contactCountOf(projectId, name) }
    },

    /** Deletes a field from all contacts, whatever refers to it (contract A5.9); resolves to how many contacts changed. */
    async remove(projectId: string, name: FieldName, actor: Actor): Promise<number> {
      if ("core" in name) throw malformed(`${name.core} is part of every contact and cannot be deleted.`)
      return drop(projectId, name.custom, actor)
    },
  }
}

export type FieldActions = ReturnType<typeof createFieldActions>

/** Each user once: a workflow for all its steps that name the field. */
function usesIn(references: readonly Reference[]): FieldUses {
  const users = (...kinds: readonly Reference["by"][]): FieldUser[] => {
    const found = references
      .filter(({ by }) => kinds.includes(by))
      .map(({ id, name, within }): [string, string] => (within ? [within.id, within.name] : [id, name]))
    return [...new Map(found)].map(([id, name]) => ({ id, name }))
  }
  return { segments: users("segment"), campaigns: users("campaign"), workflows: users("workflow", "workflowStep") }
}
