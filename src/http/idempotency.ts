import { and, asc, eq, gt, lte, sql } from "drizzle-orm"
import type { Clock } from "../kernel/clock.ts"
import { iso } from "../kernel/clock.ts"
import { DomainError, invalid } from "../kernel/errors.ts"
import type { ClockCorrection } from "../store/clock-correction.ts"
import { idParam } from "../store/dialect.ts"
import { prepare } from "../store/prepare.ts"
import { type EachSlice, eachSlice } from "../store/slices.ts"
import type { Store } from "../store/store.ts"
import type { Unit } from "../store/writer.ts"
import { idempotencyTable } from "./table.ts"

/** Writes that belong to the unit of an action: the action calls it once, with its unit. */
export type IdempotencyCommit = (unit: Unit) => Promise<void>

export interface Claim {
  /** Stores the key with the effects of the request, in their unit (contract A1.10.5). */
  readonly commit: IdempotencyCommit
  /** The request ended with an error: the key is kept with its status, or freed. */
  fail(status: number, options: { keep: boolean }): Promise<void>
}

export interface Idempotency {
  /** Claims the key of a request, or throws 409 while it is in flight or kept. Undefined without a key. */
  claim(projectId: string, key: string | null, request: string): Promise<Claim | undefined>
  /** Deletes expired keys. */
  prune(each?: EachSlice): Promise<void>
  /** Frees all keys of a project. */
  erase(unit: Unit, projectId: string): Promise<void>
  readonly clockCorrections: readonly ClockCorrection[]
}

const findKey = prepare((db) =>
  db
    .select()
    .from(idempotencyTable)
    .where(and(eq(idempotencyTable.projectId, idParam("projectId")), eq(idempotencyTable.key, sql.placeholder("key")))),
)

/** Stores a claim unless there is another; an expired one is replaced. Returns no row when there is another. */
const insertKey = prepare((db) => {
  const row = {
    projectId: idParam("projectId"),
    key: sql`${sql.placeholder("key")}`,
    request: sql`${sql.placeholder("request")}`,
    statusCode: sql`${sql.placeholder("statusCode")}`,
    createdAt: sql`${sql.placeholder("createdAt")}`,
  }
  return db
    .insert(idempotencyTable)
    .values(row)
    .onConflictDoUpdate({
      target: [idempotencyTable.projectId, idempotencyTable.key],
      set: row,
      setWhere: lte(idempotencyTable.createdAt, sql.placeholder("expiredAt")),
    })
    .returning({ key: idempotencyTable.key })
})

/**
 * The primary key of the table decides: the row is inserted in the unit of the effects, and a unit that finds the row
 * of another request, from whichever process, fails with 409 and is rolled back. So after a crash either the key is
 * stored with all of its effects, or it is free without any (contract A1.10.5). No claim of a dead process can remain,
 * and a key costs no additional commit.
 */
export function createIdempotency({
  store,
  clock,
  keepMs,
}: {
  store: Store
  clock: Clock
  keepMs: number
}): Idempotency {
  /**
   * The running requests of this process, so that another one with the same key is refused before its body is read
   * (contract A1.10.2). It may be in memory because it is only a hint: without an entry the row still decides.
   */
  const inFlight = new Map<string, { request: string; at: number }>()

  async function claim(projectId: string, key: string, request: string): Promise<Claim> {
    const place = `${projectId} ${key}`
    const other = inFlight.get(place)
    if (other) throw reused(key, other.request, other.at, null)
    const at = clock.now()
    inFlight.set(place, { request, at })
    const free = () => inFlight.delete(place)
    try {
      const [kept] = await findKey(store.read, { projectId, key })
      if (kept && kept.createdAt + keepMs > at) throw reused(key, kept.request, kept.createdAt, kept.statusCode)
    } catch (cause) {
      free()
      throw cause
    }
    const save = async (unit: Unit, statusCode: number) => {
      const expiredAt = at - keepMs
      const saved = await insertKey(unit.db, { projectId, key, request, statusCode, createdAt: at, expiredAt })
      if (saved.length === 0) {
        const [other] = await findKey(unit.db, { projectId, key })
        throw reused(key, other?.request ?? request, other?.createdAt ?? at, other?.statusCode ?? null)
      }
      unit.afterCommit(free)
    }
    return {
      commit: (unit) => save(unit, 200),
      async fail(status, { keep }) {
        if (keep) await store.write(projectId, (unit) => save(unit, status)).catch(free)
        free()
      },
    }
  }

  return {
    clockCorrections: [correctClaims],
    async claim(projectId, key, request) {
      if (key === null) return undefined
      checkKey(key)
      return claim(projectId, key, request)
    },
    async erase(unit, projectId) {
      await unit.db.delete(idempotencyTable).where(eq(idempotencyTable.projectId, projectId))
    },
    async prune(each = eachSlice(store)) {
      await each((unit, limit) => deleteExpired(unit, unit.now - keepMs, limit))
    },
  }
}

/** Deletes up to `limit` keys that were claimed at or before `at`; resolves to their number. */
async function deleteExpired(unit: Unit, at: number, limit: number): Promise<number> {
  const slice = unit.db
    .select({ projectId: idempotencyTable.projectId, key: idempotencyTable.key })
    .from(idempotencyTable)
    .where(lte(idempotencyTable.createdAt, at))
    .orderBy(asc(idempotencyTable.createdAt))
    .limit(limit)
  const gone = await unit.db
    .delete(idempotencyTable)
    .where(sql`(${idempotencyTable.projectId}, ${idempotencyTable.key}) IN ${slice}`)
    .returning({ key: idempotencyTable.key })
  return gone.length
}

/** A key that was claimed in the future is kept as if it had been claimed now. */
async function correctClaims(unit: Unit, limit: number): Promise<number> {
  const { projectId, key, createdAt } = idempotencyTable
  const ahead = unit.db.select({ projectId, key }).from(idempotencyTable).where(gt(createdAt, unit.now)).limit(limit)
  const corrected = await unit.db
    .update(idempotencyTable)
    .set({ createdAt: unit.now })
    .where(sql`(${projectId}, ${key}) IN ${ahead}`)
    .returning({ key })
  return corrected.length
}

function checkKey(key: string): void {
  const field = "Idempotency-Key"
  const refuse = (code: "too_small" | "too_big" | "invalid_string", message: string) =>
    invalid([{ field, code, message: `${field} ${message}.` }])
  if (key.length === 0) throw refuse("too_small", "must have at least 1 character")
  if (key.length > 255) throw refuse("too_big", "must have at most 255 characters")
  if (!/^[\x20-\x7e]+$/.test(key)) throw refuse("invalid_string", "must be printable ASCII")
}

const reused = (key: string, originalRequest: string, at: number, originalStatusCode: number | null): DomainError =>
  new DomainError("conflict", "IDEMPOTENCY_KEY_REUSED", "This idempotency key was used before.", {
    details: { key, originalRequest, originalRequestAt: iso(at), originalStatusCode },
  })
