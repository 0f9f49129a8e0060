import { eq, ne } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import type { createContentWriter } from "./content.ts"
import { emailChanged } from "./outcome.ts"
import { contentTable, emailCountTable, emailTable, emailTextTable } from "./table.ts"
import type { LinkStore } from "./tracking/links.ts"

interface EraseDeps extends Pick<Engine, "bus"> {
  readonly contents: Pick<ReturnType<typeof createContentWriter>, "erase">
  readonly stored: LinkStore
}

/** Deletes all mail of a project, and tells which files the rest still needs. */
export const createEmailErasure = ({ bus, contents, stored }: EraseDeps) => ({
  async erase(unit: Unit, projectId: string): Promise<void> {
    // First, so that no message has to look for its block.
    await unit.db.delete(emailTextTable).where(eq(emailTextTable.projectId, projectId))
    await unit.db.delete(emailTable).where(eq(emailTable.projectId, projectId))
    await unit.db.delete(emailCountTable).where(eq(emailCountTable.projectId, projectId))
    await contents.erase(unit, projectId)
    await stored.erase(unit, projectId)
    await bus.emit(unit, emailChanged, projectId, { id: "", change: "cleared" })
  },

  /** The attachments of all content. */
  async files(db: Db): Promise<string[]> {
    const rows = await db
      .selectDistinct({ attachments: contentTable.attachments })
      .from(contentTable)
      .where(ne(contentTable.attachments, []))
    return rows.flatMap(({ attachments }) => attachments.map(({ hash }) => hash))
  },
})
