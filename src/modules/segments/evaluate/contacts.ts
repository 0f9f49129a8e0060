import { and, asc, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { idParam, isOneOf, isUnindexed } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import { contactTable } from "../../contacts/index.ts"

const bySeq = prepare((db) =>
  db
    .select()
    .from(contactTable)
    .where(
      and(
        isOneOf(contactTable.seq, sql.placeholder("seqs")),
        isUnindexed(contactTable.projectId, idParam("projectId")),
      ),
    )
    .orderBy(asc(contactTable.seq)),
)

/** The contacts with these `seq` that still exist, in rising order. */
export const listBySeq = (db: Db, projectId: string, seqs: readonly number[]) =>
  bySeq(db, { projectId, seqs: JSON.stringify(seqs) })
