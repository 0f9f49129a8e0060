import { Type } from "@sinclair/typebox"
import { eq, ne } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import { defineJob, done, handles, type JobHandler } from "../../jobs/define.ts"
import { minute } from "../../kernel/clock.ts"
import type { Db } from "../../store/database.ts"
import type { Files } from "../../store/files.ts"
import type { Unit } from "../../store/writer.ts"
import type { createContentWriter } from "./content.ts"
import { emailChanged } from "./outcome.ts"
import { contentTable, emailTable } from "./table.ts"
import type { LinkStore } from "./tracking/links.ts"

const sweepFiles = defineJob("attachment.sweep", Type.Object({}))

/** How long, in ms, a file stays without a row: a request stores its files shortly before the row that names them. */
const graceMs = 10 * minute

interface EraseDeps extends Pick<Engine, "store" | "clock" | "bus" | "jobs"> {
  readonly files: Files
  readonly contents: Pick<ReturnType<typeof createContentWriter>, "erase">
  readonly stored: LinkStore
}

/** Deletes all mail of a project, and then the files that no mail of any project refers to. */
export function createEmailErasure({ store, clock, bus, jobs, files, contents, stored }: EraseDeps) {
  const handlers: JobHandler[] = [
    handles(sweepFiles, async () => {
      const before = clock.now() - graceMs
      const rows = await store.readPool.read("instance", listAttachments)
      const inUse = new Set(rows.flatMap(({ attachments }) => attachments.map(({ hash }) => hash)))
      for await (const hash of files.list()) if (!inUse.has(hash)) files.removeUnlessKeptSince(hash, before)
      return done
    }),
  ]

  return {
    handlers,

    async erase(unit: Unit, projectId: string): Promise<void> {
      await unit.db.delete(emailTable).where(eq(emailTable.projectId, projectId))
      await contents.erase(unit, projectId)
      await stored.erase(unit, projectId)
      await jobs.enqueue(unit, sweepFiles, {}, { runAt: unit.now + graceMs + minute })
      await bus.emit(unit, emailChanged, projectId, { id: "", change: "cleared" })
    },
  }
}

/** Projects with the same files share them. */
const listAttachments = (db: Db) =>
  db
    .selectDistinct({ attachments: contentTable.attachments })
    .from(contentTable)
    .where(ne(contentTable.attachments, []))
