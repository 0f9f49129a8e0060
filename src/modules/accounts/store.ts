import { and, asc, count, desc, eq, gt, inArray, isNull, lte, ne, sql } from "drizzle-orm"
import type { Db } from "../../store/database.ts"
import { boundId } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import type { Unit } from "../../store/writer.ts"
import { isReal, projectTable } from "../projects/index.ts"
import { type Member, memberTable, type Role, type Session, sessionTable, type User, userTable } from "./table.ts"

export async function findUser(db: Db, id: string): Promise<User | undefined> {
  const [row] = await db.select().from(userTable).where(eq(userTable.id, id))
  return row
}

const byEmail = prepare((db) =>
  db
    .select()
    .from(userTable)
    .where(eq(userTable.email, sql.placeholder("email"))),
)

export async function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  const [row] = await byEmail(db, { email })
  return row
}

/** The instance's owner: the first account. */
export async function findOwner(db: Db): Promise<User | undefined> {
  const [row] = await db.select().from(userTable).where(eq(userTable.isOwner, true))
  return row
}

export const listUsers = (db: Db): Promise<User[]> =>
  db.select().from(userTable).orderBy(asc(userTable.createdAt), asc(userTable.id))

/** False when the address is taken, or when the user is to be the owner and the instance already has one. */
export async function insertUser(unit: Unit, user: User): Promise<boolean> {
  const rows = await unit.db.insert(userTable).values(user).onConflictDoNothing().returning({ id: userTable.id })
  return rows.length > 0
}

export async function saveUser(
  unit: Unit,
  id: string,
  change: Partial<Pick<User, "email" | "passwordHash" | "verifiedAt">>,
): Promise<void> {
  await unit.db
    .update(userTable)
    .set({ ...change, updatedAt: unit.now })
    .where(eq(userTable.id, id))
}

/**
 * Everything that a request with a session needs, in one row with only the needed columns. The columns are not nested,
 * because assembling nested rows takes longer than reading them.
 */
const bySession = prepare((db) =>
  db
    .select({
      expiresAt: sessionTable.expiresAt,
      confirmedAt: sessionTable.confirmedAt,
      userId: userTable.id,
      email: userTable.email,
      isOwner: userTable.isOwner,
      verifiedAt: userTable.verifiedAt,
      role: memberTable.role,
      project: projectTable.id,
      name: projectTable.name,
      language: projectTable.language,
      disabled: projectTable.disabled,
      publicResubscribe: projectTable.publicResubscribe,
      postalAddress: projectTable.postalAddress,
    })
    .from(sessionTable)
    .innerJoin(userTable, eq(userTable.id, sessionTable.userId))
    .leftJoin(
      memberTable,
      and(eq(memberTable.userId, sessionTable.userId), eq(memberTable.projectId, boundId("projectId"))),
    )
    .leftJoin(projectTable, eq(projectTable.id, memberTable.projectId))
    .where(eq(sessionTable.id, boundId("sessionId"))),
)

/** A session with its user and, where the user is a member of the project, the project and the role there. */
export async function findSession(db: Db, sessionId: string, projectId: string | null) {
  const [row] = await bySession(db, { sessionId, projectId })
  return row
}

export type SessionRow = NonNullable<Awaited<ReturnType<typeof findSession>>>

export async function insertSession(unit: Unit, session: Session): Promise<void> {
  await unit.db.insert(sessionTable).values(session)
}

export async function saveConfirmed(unit: Unit, id: string): Promise<void> {
  await unit.db.update(sessionTable).set({ confirmedAt: unit.now }).where(eq(sessionTable.id, id))
}

/** The current sessions of a user, the latest first. */
export const listSessions = (db: Db, userId: string, now: number): Promise<Session[]> =>
  db
    .select()
    .from(sessionTable)
    .where(and(eq(sessionTable.userId, userId), gt(sessionTable.expiresAt, now)))
    .orderBy(desc(sessionTable.createdAt), desc(sessionTable.id))

/** False when the user has no such session. */
export async function deleteSession(unit: Unit, userId: string, id: string): Promise<boolean> {
  const rows = await unit.db
    .delete(sessionTable)
    .where(and(eq(sessionTable.id, id), eq(sessionTable.userId, userId)))
    .returning({ id: sessionTable.id })
  return rows.length > 0
}

/** Ends the sessions of a user except the given one. */
export async function deleteSessions(unit: Unit, userId: string, except: string | null): Promise<void> {
  const others = except === null ? [] : [ne(sessionTable.id, except)]
  await unit.db.delete(sessionTable).where(and(eq(sessionTable.userId, userId), ...others))
}

/** Deletes up to `limit` expired sessions; resolves to their number. */
export async function deleteExpiredSessions(unit: Unit, limit: number): Promise<number> {
  const slice = unit.db
    .select({ id: sessionTable.id })
    .from(sessionTable)
    .where(lte(sessionTable.expiresAt, unit.now))
    .limit(limit)
  const gone = await unit.db
    .delete(sessionTable)
    .where(inArray(sessionTable.id, slice))
    .returning({ id: sessionTable.id })
  return gone.length
}

export interface MemberRow {
  readonly userId: string
  readonly email: string
  readonly role: Role
  readonly createdAt: number
}

const memberColumns = {
  userId: memberTable.userId,
  email: userTable.email,
  role: memberTable.role,
  createdAt: memberTable.createdAt,
}

/** The members of a project, oldest first. */
export const listMembers = (db: Db, projectId: string): Promise<MemberRow[]> =>
  db
    .select(memberColumns)
    .from(memberTable)
    .innerJoin(userTable, eq(userTable.id, memberTable.userId))
    .where(eq(memberTable.projectId, projectId))
    .orderBy(asc(memberTable.createdAt), asc(memberTable.userId))

/** The addresses and languages of the members of a project. */
export const listRecipients = (db: Db, projectId: string) =>
  db
    .select({ email: userTable.email, language: userTable.language })
    .from(memberTable)
    .innerJoin(userTable, eq(userTable.id, memberTable.userId))
    .where(eq(memberTable.projectId, projectId))
    .orderBy(asc(memberTable.createdAt), asc(memberTable.userId))

export async function findMember(db: Db, projectId: string, userId: string): Promise<MemberRow | undefined> {
  const [row] = await db
    .select(memberColumns)
    .from(memberTable)
    .innerJoin(userTable, eq(userTable.id, memberTable.userId))
    .where(and(eq(memberTable.projectId, projectId), eq(memberTable.userId, userId)))
  return row
}

/** The projects of a user, oldest first, with the role in each. */
export const listMemberships = (db: Db, userId: string) =>
  db
    .select({ role: memberTable.role, project: projectTable })
    .from(memberTable)
    .innerJoin(projectTable, eq(projectTable.id, memberTable.projectId))
    .where(eq(memberTable.userId, userId))
    .orderBy(asc(projectTable.createdAt), asc(projectTable.id))

/** False when the user is already a member. */
export async function insertMember(unit: Unit, member: Omit<Member, "createdAt">): Promise<boolean> {
  const rows = await unit.db
    .insert(memberTable)
    .values({ ...member, createdAt: unit.now })
    .onConflictDoNothing()
    .returning({ userId: memberTable.userId })
  return rows.length > 0
}

/** False when there is no such member, or it is the OWNER. */
export async function saveRole(
  unit: Unit,
  projectId: string,
  userId: string,
  role: "ADMIN" | "MEMBER",
): Promise<boolean> {
  const rows = await unit.db
    .update(memberTable)
    .set({ role })
    .where(isOther(projectId, userId))
    .returning({ userId: memberTable.userId })
  return rows.length > 0
}

/** False when there is no such member, or it is the OWNER. */
export async function deleteMember(unit: Unit, projectId: string, userId: string): Promise<boolean> {
  const rows = await unit.db
    .delete(memberTable)
    .where(isOther(projectId, userId))
    .returning({ userId: memberTable.userId })
  return rows.length > 0
}

/** Deletes the memberships of a user in projects of others. */
export const deleteGivenMemberships = (unit: Unit, userId: string): Promise<{ projectId: string }[]> =>
  unit.db
    .delete(memberTable)
    .where(and(eq(memberTable.userId, userId), ne(memberTable.role, "OWNER")))
    .returning({ projectId: memberTable.projectId })

/** Deletes all memberships of a project. */
export async function deleteMembers(unit: Unit, projectId: string): Promise<void> {
  await unit.db.delete(memberTable).where(eq(memberTable.projectId, projectId))
}

const isOther = (projectId: string, userId: string) =>
  and(eq(memberTable.projectId, projectId), eq(memberTable.userId, userId), ne(memberTable.role, "OWNER"))

/** Whether a user owns a disabled project (contract B8.3.3). */
export async function ownsDisabled(db: Db, userId: string): Promise<boolean> {
  const [row] = await db
    .select({ owned: count() })
    .from(memberTable)
    .innerJoin(projectTable, eq(projectTable.id, memberTable.projectId))
    .where(and(eq(memberTable.userId, userId), eq(memberTable.role, "OWNER"), eq(projectTable.disabled, true)))
  return (row?.owned ?? 0) > 0
}

/** Projects that were created on the command line before the first account. */
export const listOwnerless = (db: Db): Promise<{ id: string }[]> =>
  db
    .select({ id: projectTable.id })
    .from(projectTable)
    .leftJoin(memberTable, and(eq(memberTable.projectId, projectTable.id), eq(memberTable.role, "OWNER")))
    .where(and(isNull(memberTable.userId), isReal))

/** Whether a project belongs to the owner of the instance, or to nobody. */
export async function isOfInstanceOwner(db: Db, projectId: string): Promise<boolean> {
  const [owner] = await db
    .select({ isOwner: userTable.isOwner })
    .from(memberTable)
    .innerJoin(userTable, eq(userTable.id, memberTable.userId))
    .where(and(eq(memberTable.projectId, projectId), eq(memberTable.role, "OWNER")))
  return owner?.isOwner ?? true
}

/** Every project, oldest first, with the address of its owner. */
export const listWithOwner = (db: Db) =>
  db
    .select({ project: projectTable, owner: userTable.email })
    .from(projectTable)
    .leftJoin(memberTable, and(eq(memberTable.projectId, projectTable.id), eq(memberTable.role, "OWNER")))
    .leftJoin(userTable, eq(userTable.id, memberTable.userId))
    .where(isReal)
    .orderBy(asc(projectTable.createdAt), asc(projectTable.id))
