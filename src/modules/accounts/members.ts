import type { Engine } from "../../engine.ts"
import { accessDenied } from "../../http/auth.ts"
import { authorize, type Role } from "../../http/permissions.ts"
import { conflict, forbidden, notFound } from "../../kernel/errors.ts"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import type { Audit } from "../audit/index.ts"
import { unknownMembers } from "./attempts.ts"
import type { ActingUser } from "./client.ts"
import {
  deleteMember,
  findMember,
  findUserByEmail,
  insertMember,
  listMembers,
  type MemberRow,
  saveRole,
} from "./store.ts"
import { takeAttempt } from "./throttle.ts"

interface MemberDeps {
  readonly audit: Audit
  /** The role of a user in a project; undefined for a user who is not a member. */
  readonly roleOf: (db: Db, projectId: string, userId: string) => Promise<Role | undefined>
}

/** Who may work in a project (contract B8.3.10 to B8.3.13, contract B8.4). */
export function createMembers({ store }: Pick<Engine, "store">, { audit, roleOf }: MemberDeps) {
  /**
   * A unit of a user who may manage members, which is checked again in the unit: of two admins who remove each other at
   * the same time, only one succeeds.
   */
  const manage = <T>(projectId: string, by: ActingUser, work: (unit: Unit) => Promise<T>): Promise<T> =>
    store.write(projectId, async (unit) => {
      const role = await roleOf(unit.db, projectId, by.userId)
      if (role === undefined) throw accessDenied()
      authorize(role, "project.manage")
      return work(unit)
    })

  /** The member to change; refuses changes of oneself and of the OWNER. */
  async function changeable(db: Db, projectId: string, userId: string, by: ActingUser): Promise<MemberRow> {
    if (userId === by.userId) throw forbidden("Nobody can change their own role. Another admin can.")
    const member = await findMember(db, projectId, userId)
    if (member === undefined) throw notFound("Member", userId)
    if (member.role === "OWNER") throw forbidden("The role of the owner cannot be changed.")
    return member
  }

  return {
    list: (projectId: string): Promise<MemberRow[]> => listMembers(store.read, projectId),

    /**
     * @throws {DomainError} 404 when there is no account with this address, 409 for a member, 429 after 30 unknown
     * addresses in an hour, so that nobody can test many addresses for accounts
     */
    async add(
      projectId: string,
      wanted: { email: string; role: "ADMIN" | "MEMBER" },
      by: ActingUser,
    ): Promise<MemberRow> {
      if ((await findUserByEmail(store.read, wanted.email)) === undefined)
        await store.write(projectId, (unit) => takeAttempt(unit, unknownMembers, by.userId, "unknown addresses"))
      return manage(projectId, by, async (unit) => {
        const user = await findUserByEmail(unit.db, wanted.email)
        if (user === undefined) throw notFound("Account", wanted.email)
        const { role } = wanted
        if (!(await insertMember(unit, { projectId, userId: user.id, role })))
          throw conflict("This person is already a member.")
        await audit.record(unit, { projectId, action: "member.added", actor: by, details: { email: user.email, role } })
        return { userId: user.id, email: user.email, role, createdAt: unit.now }
      })
    },

    /** An equal role changes nothing. */
    async change(projectId: string, userId: string, role: "ADMIN" | "MEMBER", by: ActingUser): Promise<MemberRow> {
      return manage(projectId, by, async (unit) => {
        const member = await changeable(unit.db, projectId, userId, by)
        if (member.role === role) return member
        if (!(await saveRole(unit, projectId, userId, role))) throw notFound("Member", userId)
        const details = { email: member.email, role, before: member.role }
        await audit.record(unit, { projectId, action: "member.role_changed", actor: by, details })
        return { ...member, role }
      })
    },

    async remove(projectId: string, userId: string, by: ActingUser): Promise<void> {
      await manage(projectId, by, async (unit) => {
        const member = await changeable(unit.db, projectId, userId, by)
        await deleteMember(unit, projectId, userId)
        await audit.record(unit, { projectId, action: "member.removed", actor: by, details: { email: member.email } })
      })
    },

    /** Removes the acting user. @throws {DomainError} 403 for the OWNER, 404 for a user who is not a member. */
    async leave(projectId: string, by: ActingUser): Promise<void> {
      await store.write(projectId, async (unit) => {
        if ((await roleOf(unit.db, projectId, by.userId)) === undefined) throw notFound("Member", by.userId)
        if (!(await deleteMember(unit, projectId, by.userId)))
          throw forbidden("The owner cannot leave a project. Delete it instead.")
        await audit.record(unit, { projectId, action: "member.left", actor: by, details: { email: by.email } })
      })
    },
  }
}
