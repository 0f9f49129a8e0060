import { and, eq, inArray, notExists, type SQL, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { type EachSlice, eachOf } from "../../store/slices.ts"
import type { Store } from "../../store/store.ts"
import { contentTable } from "../emails/index.ts"
import { capturedTable } from "../originals/index.ts"
import { inboxTextTable } from "./table.ts"

/** How many texts one read finds. */
const atOnce = 10_000

/** Deletes the texts of content and received messages that are deleted. */
export async function deleteTexts(store: Pick<Store, "readPool">, each: EachSlice): Promise<void> {
  const { source } = inboxTextTable
  for (let found = atOnce; found === atOnce; ) {
    const unneeded = await store.readPool.read("instance", (db) =>
      db.select({ source }).from(inboxTextTable).where(isUnneeded(db)).limit(atOnce),
    )
    found = await eachOf(each, unneeded, (unit, part) =>
      unit.db.delete(inboxTextTable).where(
        and(
          inArray(
            source,
            part.map((one) => one.source),
          ),
          isUnneeded(unit.db),
        ),
      ),
    )
  }
}

/** Checked again in the unit that deletes the text, because the same content may have been stored again meanwhile. */
function isUnneeded(db: Db): SQL | undefined {
  const { projectId, source } = inboxTextTable
  const one = sql`1`.as("one")
  const { hash } = contentTable
  const content = db
    .select({ one })
    .from(contentTable)
    .where(and(eq(contentTable.projectId, projectId), eq(hash, source)))
  const received = db.select({ one }).from(capturedTable).where(eq(capturedTable.emailId, source))
  return and(notExists(content), notExists(received))
}
