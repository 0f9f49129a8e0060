import { Type } from "@sinclair/typebox"
import { eq } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import { defineJob, done, handles, type JobHandler, snooze, untilDone } from "../../jobs/define.ts"
import type { Db } from "../../store/database.ts"
import type { RowCache } from "../../store/row-cache.ts"
import { inSlices } from "../../store/slices.ts"
import type { Unit } from "../../store/writer.ts"
import type { Actor, Audit } from "../audit/index.ts"
import { projectDisabled } from "./signals.ts"
import { type Project, projectTable } from "./table.ts"

/** Deletes the data of a deleted project. */
const eraseProject = defineJob("project.erase", Type.Object({ projectId: Type.String() }), untilDone)

/** Rows per unit, each with the rows that belong to it, and turns of the event loop between two units. */
const [slice, turnsBetween] = [100, 10]

export interface DeletionDeps {
  readonly audit: Audit
  /** Ends running work of a project in all modules, in the unit that disables it. */
  readonly disable: (unit: Unit, projectId: string) => Promise<void>
  /** Deletes in all modules what must not outlast the request. */
  readonly beforeDeletion: (unit: Unit, projectId: string) => Promise<void>
  /** Deletes some of the rows that there may be many of; resolves to how many, 0 when none is left. */
  readonly eraseSome: (unit: Unit, projectId: string, limit: number) => Promise<number>
  /** Deletes all that is left in the modules. */
  readonly erase: (unit: Unit, projectId: string) => Promise<void>
}

/**
 * The deletion of projects (contract B8.3.5): one unit disables and hides the project, after which nobody reaches it, and
 * a job deletes its data in short units.
 */
export function createProjectDeletion(
  {
    store,
    jobs,
    bus,
    known,
    reach,
  }: Pick<Engine, "store" | "jobs" | "bus"> & {
    readonly known: Pick<RowCache, "forget">
    /** @throws {DomainError} 403 for a project that is deleted */
    readonly reach: (id: string, db: Db) => Promise<Project>
  },
  { audit, disable, beforeDeletion, eraseSome, erase }: DeletionDeps,
) {
  async function hide(unit: Unit, id: string): Promise<void> {
    known.forget(unit)
    // Values for the unique columns that no key can equal.
    const unusable = `deleted ${id}`
    await unit.db
      .update(projectTable)
      .set({
        publicKey: unusable,
        secretHash: unusable,
        disabled: true,
        disabledReason: "MANUAL",
        deletedAt: unit.now,
        updatedAt: unit.now,
      })
      .where(eq(projectTable.id, id))
  }

  async function eraseRest(unit: Unit, id: string): Promise<void> {
    await erase(unit, id)
    // A request that was under way when the project was hidden may have added to it since.
    await beforeDeletion(unit, id)
    await unit.db.delete(projectTable).where(eq(projectTable.id, id))
  }

  const handler: JobHandler = handles(eraseProject, async ({ projectId }, abort) => {
    const step = async (unit: Unit, limit: number) => ((await eraseSome(unit, projectId, limit)) > 0 ? limit : 0)
    const { isOver } = await inSlices(store, projectId, step, { size: slice, turns: turnsBetween, abort })
    if (!isOver) return snooze(0)
    await store.write(projectId, (unit) => eraseRest(unit, projectId))
    return done
  })

  return {
    handlers: [handler],

    /** Deletes the project. Its data go in the background, also after a restart. */
    async remove(id: string, actor: Actor): Promise<void> {
      await store.write(id, async (unit) => {
        const { name } = await reach(id, unit.db)
        await hide(unit, id)
        await disable(unit, id)
        await bus.emit(unit, projectDisabled, id, {})
        await beforeDeletion(unit, id)
        await jobs.enqueue(unit, eraseProject, { projectId: id })
        await audit.record(unit, { projectId: id, action: "project.deleted", actor, details: { name } })
      })
    },
  }
}
