import { and, asc, eq, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { isOneOf, unindexed } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import { contactTable } from "../../contacts/index.ts"

const bySeq = prepare((db) =>
  db
    .select()
    .from(contactTable)
    .where(
      and(
        isOneOf(contactTable.seq, sql.placeholder("seqs")),
        eq(unindexed(contactTable.projectId), sql.placeholder("projectId")),
      ),
    )
    .orderBy(asc(contactTable.seq)),
)

/** Those of some contacts that there are, by rising `seq`. */
export const listBySeq = (db: Db, projectId: string, seqs: readonly number[]) =>
  bySeq(db, { projectId, seqs: JSON.stringify(seqs) })
