import { and, count, desc, eq, inArray, lt, or } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import type { Caller } from "../../http/auth.ts"
import { day, iso } from "../../kernel/clock.ts"
import type { Unit } from "../../store/writer.ts"
import { type AuditRow, auditTable } from "./table.ts"

/** Who acted, other than the command line. */
export interface Actor {
  /** Null for the server itself, a secret key, and clients that are not signed in. */
  readonly userId: string | null
  readonly email: string
  readonly address: string | null
}

/** Of a request with a key or a session. */
export const byCaller = ({ user }: Pick<Caller, "user">, { address }: { readonly address: string }): Actor => ({
  userId: user?.userId ?? null,
  email: user?.email ?? "secret key",
  address,
})

/** Of a request without a session. */
export const byVisitor = ({ address }: { readonly address: string }): Actor => ({
  userId: null,
  email: "not signed in",
  address,
})

/** What the server does by itself. */
export const byServer = { userId: null, email: "mailstead", address: null } as const satisfies Actor

export interface AuditEntry {
  readonly projectId?: string
  /** `noun.past`. */
  readonly action: string
  /** The command line when absent. */
  readonly actor?: Actor
  /** Never a password, key or token. */
  readonly details?: Readonly<Record<string, unknown>>
}

const keptMs = 365 * day

const isOf = (projectId: string | null) => (projectId === null ? undefined : eq(auditTable.projectId, projectId))

/** The audit log. Security-relevant actions are recorded in the unit that performs them. */
export function createAudit({ store, ids }: Pick<Engine, "store" | "ids">) {
  return {
    async record(unit: Unit, { projectId = "", action, actor, details = {} }: AuditEntry): Promise<void> {
      await unit.db.insert(auditTable).values({
        id: ids.next(),
        projectId: projectId || null,
        action,
        userId: actor?.userId ?? null,
        actor: actor?.email ?? "command line",
        address: actor?.address ?? null,
        details,
        createdAt: unit.now,
      })
    },

    /** `limit` rows after the given one, newest first, of one project, or of the whole instance for null. */
    async list(
      projectId: string | null,
      after: { createdAt: number; id: string } | undefined,
      limit: number,
    ): Promise<AuditRow[]> {
      const older =
        after &&
        or(
          lt(auditTable.createdAt, after.createdAt),
          and(eq(auditTable.createdAt, after.createdAt), lt(auditTable.id, after.id)),
        )
      return store.read
        .select()
        .from(auditTable)
        .where(and(isOf(projectId), older))
        .orderBy(desc(auditTable.createdAt), desc(auditTable.id))
        .limit(limit)
    },

    /** The number of rows of a project, or of the whole instance for null. */
    async count(projectId: string | null): Promise<number> {
      const [row] = await store.read.select({ rows: count() }).from(auditTable).where(isOf(projectId))
      return row?.rows ?? 0
    },

    /** Deletes up to `limit` rows that are more than a year old; resolves to their number. */
    async dropOld(unit: Unit, limit: number): Promise<number> {
      const slice = unit.db
        .select({ id: auditTable.id })
        .from(auditTable)
        .where(lt(auditTable.createdAt, unit.now - keptMs))
        .limit(limit)
      return (await unit.db.delete(auditTable).where(inArray(auditTable.id, slice)).returning({ id: auditTable.id }))
        .length
    },
  }
}

export type Audit = ReturnType<typeof createAudit>

export const presentAudit = ({ id, projectId, action, userId, actor, address, details, createdAt }: AuditRow) => ({
  id,
  projectId,
  action,
  userId,
  actor,
  address,
  details,
  createdAt: iso(createdAt),
})
