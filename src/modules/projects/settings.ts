import { eq } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import type { Db } from "../../store/database.ts"
import type { RowCache } from "../../store/row-cache.ts"
import type { Unit } from "../../store/writer.ts"
import type { Actor, Audit } from "../audit/index.ts"
import { newKeyPair, storedKey } from "./keys.ts"
import { type Project, projectTable } from "./table.ts"

interface SettingsDeps {
  readonly audit: Audit
  /** Deletes the modules' data of a project, in one unit; the project itself stays. */
  readonly erase: (unit: Unit, projectId: string) => Promise<void>
}

type Setting = "name" | "tracking" | "language" | "publicResubscribe" | "postalAddress" | "disabled"
/** Undefined fields stay unchanged. */
export type SettingsChange = { readonly [K in Setting]?: Project[K] | undefined }

interface SettingsParts extends Pick<Engine, "store" | "secret"> {
  readonly known: Pick<RowCache, "forget">
  /** @throws {DomainError} 403 for a project that is deleted */
  readonly reach: (id: string, db: Db) => Promise<Project>
  /** Disables a project for a reason, or enables it with null. */
  readonly disable: (unit: Unit, id: string, reason: Project["disabledReason"], actor?: Actor) => Promise<void>
}

/**
 * The settings of a project (name, language, tracking, keys), and its data (contract B8.3.4, 6, 7). A project that is
 * deleted stays as it is, and what is resolved to is the project as the unit of the change leaves it.
 */
export function createProjectSettings(
  { store, secret, known, reach, disable }: SettingsParts,
  { audit, erase }: SettingsDeps,
) {
  async function save(unit: Unit, id: string, change: Partial<Project>): Promise<void> {
    known.forget(unit)
    await unit.db
      .update(projectTable)
      .set({ ...change, updatedAt: unit.now })
      .where(eq(projectTable.id, id))
  }

  return {
    /** Changes the given settings, all or none; an equal value changes nothing. The name is trimmed. */
    update: (id: string, { disabled, ...sent }: SettingsChange, actor: Actor): Promise<Project> =>
      store.write(id, async (unit) => {
        const project = await reach(id, unit.db)
        const change = Object.fromEntries(
          Object.entries({ ...sent, name: sent.name?.trim() }).filter(
            ([key, value]) => value !== undefined && value !== project[key as keyof Project],
          ),
        )
        if (Object.keys(change).length > 0) {
          await save(unit, id, change)
          await audit.record(unit, { projectId: id, action: "project.changed", actor, details: change })
        }
        if (disabled !== undefined) await disable(unit, id, disabled ? "MANUAL" : null, actor)
        return reach(id, unit.db)
      }),

    /** Replaces both keys; the old ones are invalid at once. */
    async rotateKeys(projectId: string, actor?: Actor): Promise<Project> {
      const keys = newKeyPair()
      return store.write(projectId, async (unit) => {
        await reach(projectId, unit.db)
        await save(unit, projectId, {
          publicKey: keys.public,
          ...storedKey(keys.secret, secret),
        })
        await audit.record(unit, { projectId, action: "project.keys_rotated", ...(actor ? { actor } : {}) })
        return reach(projectId, unit.db)
      })
    },

    /** Deletes all data of the project except domains, members, keys and settings, in one commit. */
    async reset(projectId: string, actor: Actor): Promise<void> {
      await store.write(projectId, async (unit) => {
        // Not for a deleted project, because it would delete the job that deletes the project's data.
        await reach(projectId, unit.db)
        await erase(unit, projectId)
        await audit.record(unit, { projectId, action: "project.reset", actor })
      })
    },
  }
}
