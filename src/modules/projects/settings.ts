import { eq } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import type { Unit } from "../../store/writer.ts"
import type { Actor, Audit } from "../audit/index.ts"
import { hashOfKey, newKeyPair } from "./keys.ts"
import { type Project, projectTable } from "./table.ts"

export interface SettingsDeps {
  readonly audit: Audit
  /** Removes what the modules have of a project, in one unit; the project itself stays. */
  readonly erase: (unit: Unit, projectId: string) => Promise<void>
}

/** What a project is set to: name, language, tracking, keys; and its end (contract B8.3.4 to 7). */
export function createProjectSettings(
  { store, secret }: Pick<Engine, "store" | "secret">,
  { audit, erase }: SettingsDeps,
) {
  const save = (unit: Unit, id: string, change: Partial<Project>) =>
    unit.db
      .update(projectTable)
      .set({ ...change, updatedAt: unit.now })
      .where(eq(projectTable.id, id))
      .returning()

  return {
    /** Changes what is sent; a value that it has already changes nothing. */
    async update(
      project: Project,
      sent: Partial<Pick<Project, "name" | "tracking" | "language" | "publicResubscribe" | "postalAddress">>,
      actor: Actor,
    ): Promise<void> {
      const change = Object.fromEntries(
        Object.entries(sent).filter(([key, value]) => value !== undefined && value !== project[key as keyof Project]),
      )
      if (Object.keys(change).length === 0) return
      await store.write(project.id, async (unit) => {
        await save(unit, project.id, change)
        await audit.record(unit, { projectId: project.id, action: "project.changed", actor, details: change })
      })
    },

    /** New keys; both old ones stop at once. */
    async rotateKeys(projectId: string, actor?: Actor): Promise<void> {
      const keys = newKeyPair()
      await store.write(projectId, async (unit) => {
        await save(unit, projectId, {
          publicKey: keys.public,
          secretHash: hashOfKey(keys.secret),
          secretSealed: secret.seal(keys.secret),
        })
        await audit.record(unit, { projectId, action: "project.keys_rotated", ...(actor ? { actor } : {}) })
      })
    },

    /** Removes all that the project has but domains, members, keys and settings, in one commit. */
    async reset(projectId: string, actor: Actor): Promise<void> {
      await store.write(projectId, async (unit) => {
        await erase(unit, projectId)
        await audit.record(unit, { projectId, action: "project.reset", actor })
      })
    },

    /** Removes the project with all that it has. */
    async remove(project: Pick<Project, "id" | "name">, actor: Actor): Promise<void> {
      await store.write(project.id, async (unit) => {
        await erase(unit, project.id)
        await unit.db.delete(projectTable).where(eq(projectTable.id, project.id))
        await audit.record(unit, {
          projectId: project.id,
          action: "project.deleted",
          actor,
          details: { name: project.name },
        })
      })
    },
  }
}
