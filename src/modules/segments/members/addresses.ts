import { and, eq, sql } from "drizzle-orm"
import type { Db } from "../../../store/database.ts"
import { idParam, isOneOf } from "../../../store/dialect.ts"
import { prepare } from "../../../store/prepare.ts"
import { contactTable } from "../../contacts/index.ts"

const byEmails = prepare((db) =>
  db
    .select({ id: contactTable.id, email: contactTable.email })
    .from(contactTable)
    .where(
      and(eq(contactTable.projectId, idParam("projectId")), isOneOf(contactTable.email, sql.placeholder("emails"))),
    ),
)

/** The ids of the contacts that have these addresses, by address. */
export async function findIds(db: Db, projectId: string, emails: Iterable<string>): Promise<Map<string, string>> {
  const rows = await byEmails(db, { projectId, emails: JSON.stringify([...emails]) })
  return new Map(rows.map(({ id, email }) => [email, id]))
}
