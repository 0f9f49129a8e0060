import { and, asc, eq, isNull, ne, sql } from "drizzle-orm"
import { nilId } from "../../kernel/ids.ts"
import type { Db } from "../../store/database.ts"
import { idParam } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import type { Secret } from "../../store/secret.ts"
import type { Unit } from "../../store/writer.ts"
import { newKeyPair, storedKey } from "./keys.ts"
import { type Project, projectTable } from "./table.ts"

/** The columns of a project that requests need. Without its keys, which are long and not part of responses. */
const requestColumns = {
  id: projectTable.id,
  name: projectTable.name,
  language: projectTable.language,
  disabled: projectTable.disabled,
  publicResubscribe: projectTable.publicResubscribe,
  postalAddress: projectTable.postalAddress,
}

export const findByPublicKey = prepare((db) =>
  db
    .select(requestColumns)
    .from(projectTable)
    .where(eq(projectTable.publicKey, sql.placeholder("key"))),
)

export const findBySecretHash = prepare((db) =>
  db
    .select(requestColumns)
    .from(projectTable)
    .where(eq(projectTable.secretHash, sql.placeholder("hash"))),
)

const byId = prepare((db) =>
  db
    .select()
    .from(projectTable)
    .where(eq(projectTable.id, idParam("id"))),
)

/**
 * Also one that is deleted and has not lost all of its data, which is disabled. Undefined for the one for mail of the
 * service itself.
 */
export async function findProject(db: Db, id: string): Promise<Project | undefined> {
  const [row] = await byId(db, { id })
  return row?.id === nilId ? undefined : row
}

/** Every project except deleted ones and the one for mail of the service itself. */
export const isReal = and(ne(projectTable.id, nilId), isNull(projectTable.deletedAt))

export const listProjects = (db: Db): Promise<Project[]> =>
  db.select().from(projectTable).where(isReal).orderBy(asc(projectTable.createdAt), asc(projectTable.id))

/**
 * A value that the secret of the data folder has sealed: the key of the oldest project. Undefined while there is none. Reads
 * the databases of earlier versions too, of which backups are taken, so it uses columns only that all versions have.
 */
export async function findSealed(db: Db): Promise<string | undefined> {
  const [row] = await db
    .select({ sealed: projectTable.secretSealed })
    .from(projectTable)
    .where(ne(projectTable.secretSealed, ""))
    .orderBy(asc(projectTable.id))
    .limit(1)
  return row?.sealed
}

/** Gives every project a new secret key, for a folder that has lost its secret; public keys stay. */
export async function renewSecretKeys(unit: Unit, secret: Pick<Secret, "seal">): Promise<void> {
  const rows = await unit.db.select({ id: projectTable.id }).from(projectTable).where(ne(projectTable.secretSealed, ""))
  for (const { id } of rows) {
    const key = storedKey(newKeyPair().secret, secret)
    await unit.db
      .update(projectTable)
      .set({ ...key, updatedAt: unit.now })
      .where(eq(projectTable.id, id))
  }
}

/**
 * Creates the project with the nil id for mail of the service itself, because all mail in the ledger has a project. It
 * has no members and no valid keys, and is neither found nor listed.
 */
export async function ensureSystemProject(unit: Unit): Promise<void> {
  const nothing = { publicKey: "", secretHash: "", secretSealed: "" }
  await unit.db
    .insert(projectTable)
    .values({
      id: nilId,
      name: "Mailstead",
      ...nothing,
      tracking: "DISABLED",
      createdAt: unit.now,
      updatedAt: unit.now,
    })
    .onConflictDoNothing()
}

export async function insertProject(unit: Unit, project: typeof projectTable.$inferInsert): Promise<Project> {
  const [row] = await unit.db.insert(projectTable).values(project).returning()
  if (row === undefined) throw new Error("The project was not stored.")
  return row
}

/** False when the project is already disabled or enabled, or does not exist. */
export async function saveDisabled(
  unit: Unit,
  id: string,
  disabledReason: Project["disabledReason"],
): Promise<boolean> {
  const disabled = disabledReason !== null
  const rows = await unit.db
    .update(projectTable)
    .set({ disabled, disabledReason, updatedAt: unit.now })
    .where(and(eq(projectTable.id, id), isReal, eq(projectTable.disabled, !disabled)))
    .returning({ id: projectTable.id })
  return rows.length > 0
}
