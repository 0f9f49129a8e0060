import { asc, eq, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { type Project, projectTable } from "./table.ts"

export const findByPublicKey = prepare((db) =>
  db
    .select()
    .from(projectTable)
    .where(eq(projectTable.publicKey, sql.placeholder("key"))),
)

export const findBySecretHash = prepare((db) =>
  db
    .select()
    .from(projectTable)
    .where(eq(projectTable.secretHash, sql.placeholder("hash"))),
)

const byId = prepare((db) =>
  db
    .select()
    .from(projectTable)
    .where(eq(projectTable.id, sql.placeholder("id"))),
)

export async function findProject(db: Db, id: string): Promise<Project | undefined> {
  const [row] = await byId(db, { id })
  return row
}

export const listProjects = (db: Db): Promise<Project[]> =>
  db.select().from(projectTable).orderBy(asc(projectTable.createdAt), asc(projectTable.id))

export async function insertProject(unit: Unit, project: typeof projectTable.$inferInsert): Promise<Project> {
  const [row] = await unit.db.insert(projectTable).values(project).returning()
  if (row === undefined) throw new Error("The project was not stored.")
  return row
}

/** False when there is no such project. */
export async function saveDisabled(
  unit: Unit,
  id: string,
  disabledReason: Project["disabledReason"],
): Promise<boolean> {
  const rows = await unit.db
    .update(projectTable)
    .set({ disabled: disabledReason !== null, disabledReason, updatedAt: unit.now })
    .where(eq(projectTable.id, id))
    .returning({ id: projectTable.id })
  return rows.length > 0
}
