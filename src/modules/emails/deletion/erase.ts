import { and, eq, inArray, ne } from "drizzle-orm"
import type { Engine } from "../../../engine.ts"
import type { Db } from "../../../store/database.ts"
import { deleteSome } from "../../../store/delete-some.ts"
import { idParam, isUnindexed } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import type { Unit } from "../../../store/writer.ts"
import type { createContentWriter } from "../content/content.ts"
import { emailChanged } from "../outcome/outcome.ts"
import { contentTable, emailCountTable, emailTable, emailTextTable } from "../table.ts"
import type { LinkStore } from "../tracking/links.ts"
import { passLeadsOn } from "./leads.ts"

/** Deletes the whole messages of these emails. */
export type DeleteOriginals = (unit: Unit, emailIds: readonly string[]) => Promise<void>

interface EraseDeps extends Pick<Engine, "bus"> {
  readonly deleteOriginals: DeleteOriginals
  readonly contents: Pick<ReturnType<typeof createContentWriter>, "erase">
  readonly stored: LinkStore
}

const idsOfContact = prepare((db) =>
  db
    .select({ id: emailTable.id })
    .from(emailTable)
    .where(
      and(eq(emailTable.contactId, idParam("contactId")), isUnindexed(emailTable.projectId, idParam("projectId"))),
    ),
)

/** Deletes all mail of a project, and knows which files the remaining mail needs. */
export function createEmailErasure({ bus, deleteOriginals, contents, stored }: EraseDeps) {
  /** For emails that the unit deletes while other records of their messages stay. */
  async function followDeletion(unit: Unit, projectId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await passLeadsOn(bus, unit, projectId, ids)
    for (const id of ids) await bus.emit(unit, emailChanged, projectId, { id, change: "deleted" })
  }

  return {
    async erase(unit: Unit, projectId: string): Promise<void> {
      // First, so that the trigger of each message finds no block to delete.
      await unit.db.delete(emailTextTable).where(eq(emailTextTable.projectId, projectId))
      await unit.db.delete(emailTable).where(eq(emailTable.projectId, projectId))
      await unit.db.delete(emailCountTable).where(eq(emailCountTable.projectId, projectId))
      await contents.erase(unit, projectId)
      await stored.erase(unit, projectId)
      await bus.emit(unit, emailChanged, projectId, { id: "", change: "cleared" })
    },

    /** Text blocks first, as in `erase`. */
    async eraseSome(unit: Unit, projectId: string, limit: number): Promise<number> {
      const blocks = await deleteSome(unit, emailTextTable, projectId, limit)
      if (blocks > 0) return blocks
      const { id } = emailTable
      const some = await unit.db.select({ id }).from(emailTable).where(eq(emailTable.projectId, projectId)).limit(limit)
      const ids = some.map((email) => email.id)
      await deleteOriginals(unit, ids)
      await unit.db.delete(emailTable).where(inArray(id, ids))
      return ids.length
    },

    /** The messages themselves stay until no email names them. */
    async eraseSomeOf(unit: Unit, contactIds: readonly string[], limit: number): Promise<number> {
      const { id, projectId, contactId } = emailTable
      const found = await unit.db
        .select({ id, projectId })
        .from(emailTable)
        .where(inArray(contactId, [...contactIds]))
        .limit(limit + 1)
      const [first] = found
      if (first === undefined || found.length <= limit) return 0
      const ids = found.slice(0, limit).map((email) => email.id)
      await followDeletion(unit, first.projectId, ids)
      await unit.db.delete(emailTable).where(inArray(id, ids))
      return limit
    },

    async beforeContactDeletion(unit: Unit, projectId: string, contactId: string): Promise<void> {
      const left = await idsOfContact(unit.db, { projectId, contactId })
      await followDeletion(
        unit,
        projectId,
        left.map(({ id }) => id),
      )
    },

    /** The attachments of all content. */
    async files(db: Db): Promise<string[]> {
      const rows = await db
        .selectDistinct({ attachments: contentTable.attachments })
        .from(contentTable)
        .where(ne(contentTable.attachments, []))
      return rows.flatMap(({ attachments }) => attachments.map(({ hash }) => hash))
    },
  }
}
