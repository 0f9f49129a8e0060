import { and, count, desc, eq, type SQL } from "drizzle-orm"
import type { Engine } from "../../../engine.ts"
import type { Paging } from "../../../http/page.ts"
import { type Contact, contactTable } from "../../contacts/index.ts"
import { countMembers } from "../members/store.ts"
import type { Rule } from "../store.ts"
import { segmentMemberTable } from "../table.ts"
import { whoIsIn } from "./belongs.ts"
import { listBySeq } from "./contacts.ts"
import { sideBySide } from "./side-by-side.ts"
import type { Trees } from "./trees.ts"
import { askedOf, isWithin, type Reach, reachOf, type Window, windowsOf } from "./windows.ts"

/** Contacts looked at by one read on the pool: some ten milliseconds, so that nobody's read waits long behind another's. */
const looks = 50_000
/** Members that are found by the list of them; of more, all contacts are asked whether they are one. */
const smallShare = 1 / 8

export interface Listed {
  readonly rows: readonly Contact[]
  readonly total: number
}

/** Who is in a segment at this moment, found by the read pool (contract B3.2.6). */
export function liveContacts({ store, clock }: Pick<Engine, "store" | "clock">, trees: Trees) {
  const { read: db, readPool } = store

  /** How many fit in each window. */
  async function countEach(reach: Reach, windows: readonly Window[], who: SQL | undefined): Promise<number[]> {
    const counted = db.select({ total: count().as("total") }).from(contactTable)
    const query = askedOf(counted.where(and(isWithin(reach), who)))
    const counts = new Array<number>(windows.length).fill(0)
    await sideBySide(windows, readPool.width, async (window, at) => {
      counts[at] = totalIn(await readPool.read(query(window)))
      return true
    })
    return counts
  }

  /** The next contacts of a window from its end, by their `seq`. */
  async function listWithin(reach: Reach, window: Window, who: SQL, skipped: number, limit: number): Promise<number[]> {
    const { seq } = contactTable
    const query = db
      .select({ seq })
      .from(contactTable)
      .where(and(isWithin(reach), who))
      .orderBy(desc(seq))
      .limit(limit)
      .offset(skipped)
    return (await readPool.read<{ seq: number }>(askedOf(query)(window))).map((row) => row.seq)
  }

  async function listByWindows(reach: Reach, who: SQL, { offset, pageSize }: Paging): Promise<Listed> {
    const windows = windowsOf(reach, looks).reverse()
    const counts = await countEach(reach, windows, who)
    const seqs: number[] = []
    let skip = offset
    for (const [at, window] of windows.entries()) {
      const here = counts[at] ?? 0
      if (skip < here && seqs.length < pageSize)
        seqs.push(...(await listWithin(reach, window, who, skip, pageSize - seqs.length)))
      skip = Math.max(0, skip - here)
    }
    const rows = await listBySeq(db, reach.projectId, seqs)
    return { rows: rows.reverse(), total: sum(counts) }
  }

  async function listByMembers(rule: Rule, total: number, { offset, pageSize }: Paging): Promise<Listed> {
    const query = db
      .select({ seq: contactTable.seq })
      .from(segmentMemberTable)
      .innerJoin(contactTable, eq(contactTable.id, segmentMemberTable.contactId))
      .where(eq(segmentMemberTable.segmentId, rule.id))
      .orderBy(desc(contactTable.seq))
      .limit(pageSize)
      .offset(offset)
    const found = offset < total ? await readPool.read<{ seq: number }>(query) : []
    const seqs = found.map(({ seq }) => seq)
    return { rows: (await listBySeq(db, rule.projectId, seqs)).reverse(), total }
  }

  const recorded = async (rule: Rule): Promise<number> => totalIn(await readPool.read(countMembers(db, rule.id)))

  return {
    /** How many are recorded to be in a segment. */
    recorded,

    /** How many contacts of a project fit. */
    async count(projectId: string, who: SQL | undefined): Promise<number> {
      const reach = await reachOf(db, projectId)
      return sum(await countEach(reach, windowsOf(reach, looks), who))
    },

    /** How many are in a segment now, recorded or not. */
    async countOf(rule: Rule): Promise<number> {
      if (rule.type === "STATIC") return recorded(rule)
      return this.count(rule.projectId, await whoIsIn(db, rule, trees, clock.now()))
    },

    /** A page of those who are in a segment, the newest contact first: `seq` rises with every contact. */
    async list(rule: Rule, paging: Paging): Promise<Listed> {
      const reach = await reachOf(db, rule.projectId)
      const total = rule.type === "STATIC" ? await recorded(rule) : undefined
      if (total !== undefined && total < reach.last * smallShare) return listByMembers(rule, total, paging)
      return listByWindows(reach, await whoIsIn(db, rule, trees, clock.now()), paging)
    },
  }
}

export type LiveContacts = ReturnType<typeof liveContacts>

const totalIn = ([row]: { total: number }[]): number => row?.total ?? 0
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
