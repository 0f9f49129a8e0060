import { faultyCondition } from "../../conditions/index.ts"
import type { Engine } from "../../engine.ts"
import type { Paging } from "../../http/page.ts"
import { conflict, malformed, notFound } from "../../kernel/errors.ts"
import { turnOfItsOwn } from "../../kernel/event-loop.ts"
import { mapConcurrent } from "../../kernel/map-concurrent.ts"
import type { Db } from "../../store/database.ts"
import { SlowRead } from "../../store/slow-read.ts"
import type { Unit } from "../../store/writer.ts"
import { checkCondition } from "./check-condition.ts"
import type { StoreCount } from "./counting.ts"
import type { ContactPage, LiveContacts } from "./evaluate/live.ts"
import type { Trees } from "./evaluate/trees.ts"
import type { TriggerIndex } from "./incremental/trigger-index.ts"
import type { MembershipChange } from "./members/membership.ts"
import { deleteSomeMembers } from "./members/store.ts"
import { purgeSlice } from "./recompute/jobs.ts"
import type { Recompute } from "./recompute/recompute.ts"
import { changed, isTracked, type SegmentChange, type SegmentFields } from "./rules.ts"
import {
  deleteSegment,
  findRule,
  findSegment,
  insertSegment,
  listAllRules,
  listSegments,
  type Rule,
  saveComputeError,
  saveSegment,
} from "./store.ts"
import type { Segment } from "./table.ts"

interface Computed extends MembershipChange {
  readonly total: number
}

/** One segment is evaluated by the read pool while the query for another is made. */
const rulesAtOnce = 2

interface SegmentActionDeps extends Pick<Engine, "store" | "ids" | "references"> {
  readonly live: LiveContacts
  readonly trees: Trees
  readonly triggers: TriggerIndex
  readonly recompute: Recompute
  readonly storeCount: StoreCount
  schedulePurge(unit: Unit, projectId: string, segmentId: string): Promise<unknown>
}

export function createSegmentActions(deps: SegmentActionDeps) {
  const { store, ids, references, live, trees, triggers, recompute, storeCount, schedulePurge } = deps

  /** Read with the handle of a unit, the segment exists until that unit has ended. @throws {DomainError} 404 */
  async function get(projectId: string, id: string, db: Db = store.read): Promise<Segment> {
    return (await findSegment(db, projectId, id)) ?? missing(id)
  }

  const getRule = async (projectId: string, id: string): Promise<Rule> =>
    (await findRule(store.read, projectId, id)) ?? missing(id)

  /** The stored form of a condition. @throws {DomainError} 400 with all its faults (contract B2.5) */
  async function checked(db: Db, projectId: string, sent: SegmentFields["condition"], self?: string) {
    const result = await checkCondition(db, projectId, sent, "condition", trees, self)
    if ("faults" in result) throw faultyCondition(result.faults)
    return result.condition
  }

  /** Stores why `work`, which reads many contacts, was ended early. */
  async function noteSlowness<T>(projectId: string, id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (cause) {
      if (cause instanceof SlowRead)
        await store.write(projectId, (unit) => saveComputeError(unit, projectId, id, cause.message))
      throw cause
    }
  }

  /** Counts the contacts in a segment now, recorded or not, and stores the number. */
  const renewCount = (projectId: string, id: string): Promise<number> =>
    noteSlowness(projectId, id, () =>
      storeCount({ projectId, id }, async () => live.countIn(await getRule(projectId, id))),
    )

  /** The segment as stored by the request, with a new count or the reason why there is none. */
  async function counted(segment: Segment): Promise<Segment> {
    try {
      return { ...segment, memberCount: await renewCount(segment.projectId, segment.id), computeError: null }
    } catch (cause) {
      if (cause instanceof SlowRead) return { ...segment, computeError: cause.message }
      throw cause
    }
  }

  async function create(unit: Unit, projectId: string, fields: SegmentFields): Promise<Segment> {
    const condition = fields.type === "STATIC" ? null : await checked(unit.db, projectId, fields.condition)
    const times = { createdAt: unit.now, updatedAt: unit.now }
    const segment: Segment = {
      ...fields,
      id: ids.next(),
      projectId,
      condition,
      memberCount: 0,
      computeError: null,
      ...times,
    }
    await insertSegment(unit, segment)
    triggers.update(unit, segment)
    return segment
  }

  /** Undefined when it has to be repeated: members left from an earlier period of tracking are deleted first, in slices. */
  async function change(unit: Unit, projectId: string, id: string, sent: SegmentChange): Promise<Segment | undefined> {
    const stored = await get(projectId, id, unit.db)
    const wanted = stored.type === "STATIC" ? { ...sent, condition: undefined } : { ...sent }
    if (wanted.condition) wanted.condition = await checked(unit.db, projectId, wanted.condition, id)
    const segment = changed(stored, wanted, unit.now)
    if (segment === stored) return stored
    if (isTracked(segment) && !isTracked(stored) && (await deleteSomeMembers(unit, id, purgeSlice)) === purgeSlice)
      return undefined
    if (!(await saveSegment(unit, stored, segment))) throw conflict("The segment was changed at the same time.")
    triggers.update(unit, segment)
    if (isTracked(stored) && !isTracked(segment)) await schedulePurge(unit, projectId, id)
    return segment
  }

  return {
    get,
    renewCount,

    list: (projectId: string): Promise<Segment[]> => listSegments(store.read, projectId),

    /** The segments that a contact is in now (contract B3.2.1). */
    async listOfContact(projectId: string, contactId: string): Promise<Segment[]> {
      const all = await listSegments(store.read, projectId)
      const rules = await listAllRules(store.read, projectId)
      const isIn = await mapConcurrent(rules, rulesAtOnce, async (rule) => {
        // A long condition takes milliseconds to be put into SQL.
        await turnOfItsOwn()
        return live.includes(rule, contactId)
      })
      const ids = new Set(rules.flatMap(({ id }, at) => (isIn[at] ? [id] : [])))
      return all.filter(({ id }) => ids.has(id))
    },

    /** False also when the segment does not exist. */
    isStatic: async (projectId: string, id: string): Promise<boolean> =>
      (await findRule(store.read, projectId, id))?.type === "STATIC",

    async create(projectId: string, fields: SegmentFields): Promise<Segment> {
      const segment = await store.write(projectId, (unit) => create(unit, projectId, fields))
      return fields.type === "DYNAMIC" ? counted(segment) : segment
    },

    async change(projectId: string, id: string, sent: SegmentChange): Promise<Segment> {
      for (;;) {
        const segment = await store.write(projectId, (unit) => change(unit, projectId, id, sent))
        if (segment) return counted(segment)
      }
    },

    /**
     * Emits no exit events. @throws {DomainError} 409 while something that blocks its deletion names it (contract
     * B3.2.5)
     */
    remove: (projectId: string, id: string): Promise<void> =>
      store.write(projectId, async (unit) => {
        await get(projectId, id, unit.db)
        const uses = await references.to(unit.db, projectId, { kind: "segment", key: id })
        const user = uses.find(({ blocks }) => blocks)
        if (user !== undefined)
          throw conflict(
            `The campaign "${user.name}" is for this segment, or names it: cancel it, or choose another audience there.`,
            { segmentId: id, campaignId: user.id },
          )
        if (!(await deleteSegment(unit, projectId, id))) missing(id)
        triggers.drop(unit, { projectId, id })
        await schedulePurge(unit, projectId, id)
      }),

    /** A page of the contacts in a segment now, the newest first. */
    listContacts: async (projectId: string, id: string, paging: Paging): Promise<ContactPage> =>
      live.list(await getRule(projectId, id), paging),

    /** Brings recorded membership up to date, with events (contract B3.2.9). */
    async compute(projectId: string, id: string): Promise<Computed> {
      const rule = await getRule(projectId, id)
      if (rule.type === "DYNAMIC" && !rule.trackMembership)
        throw malformed("The membership of this segment is not tracked: there is nothing to compute.")
      return noteSlowness(projectId, id, async () => {
        const change = isTracked(rule) ? await recompute(rule) : { added: 0, removed: 0 }
        return { ...change, total: await storeCount(rule, () => live.countRecorded(rule)) }
      })
    },
  }
}

export type SegmentActions = ReturnType<typeof createSegmentActions>

function missing(id: string): never {
  throw notFound("Segment", id)
}
