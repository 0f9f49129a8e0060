import { faultyCondition } from "../../conditions/index.ts"
import type { Engine } from "../../engine.ts"
import type { Paging } from "../../http/page.ts"
import { conflict, malformed, notFound } from "../../kernel/errors.ts"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import type { Listed, LiveContacts } from "./evaluate/live.ts"
import type { Trees } from "./evaluate/trees.ts"
import type { Watch } from "./incremental/watch.ts"
import { dropMembers } from "./members/store.ts"
import { forgetSlice } from "./recompute/jobs.ts"
import type { Moved, Recompute } from "./recompute/pass.ts"
import { changed, isTracked, type SegmentChange, type SegmentFields } from "./rules.ts"
import { readSent } from "./sent-condition.ts"
import {
  deleteSegment,
  findRule,
  findSegment,
  insertSegment,
  listSegments,
  type Rule,
  saveCount,
  saveSegment,
} from "./store.ts"
import type { Segment } from "./table.ts"

/** What segments need from higher stairs. */
export interface SegmentPorts {
  /**
   * Whether a DRAFT, SCHEDULED or SENDING campaign is for the segment, or names it in its condition (contract B3.2.5).
   * Reads by the handle it is given, which is that of a unit.
   */
  usedByCampaigns(db: Db, projectId: string, segmentId: string): Promise<boolean>
}

export interface Computed extends Moved {
  readonly total: number
}

interface Parts extends Pick<Engine, "store" | "ids">, SegmentPorts {
  readonly live: LiveContacts
  readonly trees: Trees
  readonly watch: Watch
  readonly recompute: Recompute
  wantForgotten(unit: Unit, projectId: string, segmentId: string): Promise<unknown>
}

export function segmentActions(parts: Parts) {
  const { store, ids, live, trees, watch, recompute, wantForgotten, usedByCampaigns } = parts

  /** By the handle of a unit it is there until that unit has ended. */
  async function get(projectId: string, id: string, db: Db = store.read): Promise<Segment> {
    return (await findSegment(db, projectId, id)) ?? missing(id)
  }

  const getRule = async (projectId: string, id: string): Promise<Rule> =>
    (await findRule(store.read, projectId, id)) ?? missing(id)

  /** The condition as it is stored. Throws 400 with all its faults (contract B2.5). */
  async function checked(db: Db, projectId: string, sent: SegmentFields["condition"], self?: string) {
    const read = await readSent(db, projectId, sent, "condition", trees, self)
    if ("faults" in read) throw faultyCondition(read.faults)
    return read.condition
  }

  /** Counts a segment anew and stores how many belong to it: those who are in it now, recorded or not. */
  async function renewCount(projectId: string, id: string): Promise<number> {
    const total = await live.countOf(await getRule(projectId, id))
    await store.write(projectId, (unit) => saveCount(unit, projectId, id, total))
    return total
  }

  /** As the request left it, whatever others have made of it since. */
  const counted = async (segment: Segment): Promise<Segment> => ({
    ...segment,
    memberCount: await renewCount(segment.projectId, segment.id),
  })

  async function create(unit: Unit, projectId: string, fields: SegmentFields): Promise<Segment> {
    const condition = fields.type === "STATIC" ? null : await checked(unit.db, projectId, fields.condition)
    const times = { createdAt: unit.now, updatedAt: unit.now }
    const segment: Segment = { ...fields, id: ids.next(), projectId, condition, memberCount: 0, ...times }
    await insertSegment(unit, segment)
    watch.heed(unit, segment)
    return segment
  }

  /** Undefined when it has to be tried again: what is left of an earlier time of tracking goes first, slice by slice. */
  async function change(unit: Unit, projectId: string, id: string, sent: SegmentChange): Promise<Segment | undefined> {
    const known = await get(projectId, id, unit.db)
    const wanted = known.type === "STATIC" ? { ...sent, condition: undefined } : { ...sent }
    if (wanted.condition) wanted.condition = await checked(unit.db, projectId, wanted.condition, id)
    const segment = changed(known, wanted, unit.now)
    if (segment === known) return known
    if (isTracked(segment) && !isTracked(known) && (await dropMembers(unit, id, forgetSlice)) === forgetSlice)
      return undefined
    await saveSegment(unit, segment)
    watch.heed(unit, segment)
    if (isTracked(known) && !isTracked(segment)) await wantForgotten(unit, projectId, id)
    return segment
  }

  return {
    get,
    renewCount,

    list: (projectId: string): Promise<Segment[]> => listSegments(store.read, projectId),

    /** False also when there is no such segment. */
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

    /** Throws 409 while a campaign is to go to it. Its members leave without a word. */
    remove: (projectId: string, id: string): Promise<void> =>
      store.write(projectId, async (unit) => {
        await get(projectId, id, unit.db)
        if (await usedByCampaigns(unit.db, projectId, id))
          throw conflict("A campaign that is not over is for this segment, or names it.", { segmentId: id })
        await deleteSegment(unit, projectId, id)
        watch.drop(unit, { projectId, id })
        await wantForgotten(unit, projectId, id)
      }),

    /** A page of those who are in it now, the newest contact first. */
    listContacts: async (projectId: string, id: string, paging: Paging): Promise<Listed> =>
      live.list(await getRule(projectId, id), paging),

    /** Brings recorded membership up to date, with events (contract B3.2.9). */
    async compute(projectId: string, id: string): Promise<Computed> {
      const rule = await getRule(projectId, id)
      if (rule.type === "DYNAMIC" && !rule.trackMembership)
        throw malformed("The membership of this segment is not tracked: there is nothing to compute.")
      const moved = isTracked(rule) ? await recompute(rule) : { added: 0, removed: 0 }
      const total = await live.recorded(rule)
      await store.write(projectId, (unit) => saveCount(unit, projectId, id, total))
      return { ...moved, total }
    },
  }
}

export type SegmentActions = ReturnType<typeof segmentActions>

function missing(id: string): never {
  throw notFound("Segment", id)
}
