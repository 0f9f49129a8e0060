import { and, count, desc, eq, type SQL } from "drizzle-orm"
import type { Engine } from "../../../engine.ts"
import type { Paging } from "../../../http/page.ts"
import type { Db } from "../../../store/database.ts"
import {
  type Contact,
  type ContactRange,
  contactRangeOf,
  contactTable,
  isInWindow,
  listContactsBySeq,
  readWindows,
  type Window,
  windowsOf,
} from "../../contacts/index.ts"
import { countMembers } from "../members/store.ts"
import type { Rule } from "../store.ts"
import { segmentMemberTable } from "../table.ts"
import { isInSegment } from "./matches.ts"
import type { Trees } from "./trees.ts"

/** Contacts that one read on the pool evaluates: some ten milliseconds, so that no other read waits long for it. */
const rowsPerStep = 25_000
/** Up to this share of all contacts members are listed by their own table; beyond it by a scan of the contacts. */
const smallShare = 1 / 8

export interface ContactPage {
  readonly rows: readonly Contact[]
  readonly total: number
}

/** Evaluates segments at this moment, on the read pool (contract B3.2.6). */
export function createLiveContacts({ store, clock }: Pick<Engine, "store" | "clock">, trees: Trees) {
  const { read: db, readPool } = store

  /** How many contacts match in each window. */
  async function countEach(range: ContactRange, windows: readonly Window[], match: SQL | undefined): Promise<number[]> {
    const counts = await readWindows(readPool, range.projectId, windows, (db, window) =>
      db
        .select({ total: count() })
        .from(contactTable)
        .where(and(isInWindow(range, window), match)),
    )
    return counts.map(totalIn)
  }

  /** Matching contacts of a window by falling `seq`. */
  async function listInWindow(
    range: ContactRange,
    window: Window,
    match: SQL,
    offset: number,
    limit: number,
  ): Promise<number[]> {
    const { seq } = contactTable
    const found = await readPool.read(range.projectId, (db) =>
      db
        .select({ seq })
        .from(contactTable)
        .where(and(isInWindow(range, window), match))
        .orderBy(desc(seq))
        .limit(limit)
        .offset(offset),
    )
    return found.map((row) => row.seq)
  }

  async function listByWindows(range: ContactRange, match: SQL, { offset, pageSize }: Paging): Promise<ContactPage> {
    const windows = windowsOf(range, rowsPerStep).reverse()
    const counts = await countEach(range, windows, match)
    const seqs: number[] = []
    let skip = offset
    for (const [index, window] of windows.entries()) {
      const inWindow = counts[index] ?? 0
      if (skip < inWindow && seqs.length < pageSize)
        seqs.push(...(await listInWindow(range, window, match, skip, pageSize - seqs.length)))
      skip = Math.max(0, skip - inWindow)
    }
    const rows = await listContactsBySeq(db, range.projectId, seqs)
    return { rows: rows.reverse(), total: sum(counts) }
  }

  async function listByMembers(rule: Rule, total: number, { offset, pageSize }: Paging): Promise<ContactPage> {
    const members = (db: Db) =>
      db
        .select({ seq: contactTable.seq })
        .from(segmentMemberTable)
        .innerJoin(contactTable, eq(contactTable.id, segmentMemberTable.contactId))
        .where(eq(segmentMemberTable.segmentId, rule.id))
        .orderBy(desc(contactTable.seq))
        .limit(pageSize)
        .offset(offset)
    const found = offset < total ? await readPool.read(rule.projectId, members) : []
    const seqs = found.map(({ seq }) => seq)
    return { rows: (await listContactsBySeq(db, rule.projectId, seqs)).reverse(), total }
  }

  /** Counts the recorded members of a segment. */
  const countRecorded = async (rule: Rule): Promise<number> =>
    totalIn(await readPool.read(rule.projectId, (db) => countMembers(db, rule.id)))

  /** Counts the contacts of a project that match. */
  async function countMatching(projectId: string, match: SQL | undefined): Promise<number> {
    const range = await contactRangeOf(db, projectId)
    return sum(await countEach(range, windowsOf(range, rowsPerStep), match))
  }

  return {
    /** Whether a contact is in a segment now. */
    async includes(rule: Rule, contactId: string): Promise<boolean> {
      const isIn = await isInSegment(db, rule, trees, clock.now())
      const found = await readPool.read(rule.projectId, (on) =>
        on
          .select({ seq: contactTable.seq })
          .from(contactTable)
          .where(and(eq(contactTable.projectId, rule.projectId), eq(contactTable.id, contactId), isIn)),
      )
      return found.length > 0
    },

    countRecorded,
    countMatching,

    /** Counts the contacts in a segment now, recorded or not. */
    async countIn(rule: Rule): Promise<number> {
      if (rule.type === "STATIC") return countRecorded(rule)
      return countMatching(rule.projectId, await isInSegment(db, rule, trees, clock.now()))
    },

    /** A page of the contacts in a segment, the newest contact first: `seq` increases with every contact. */
    async list(rule: Rule, paging: Paging): Promise<ContactPage> {
      const range = await contactRangeOf(db, rule.projectId)
      const total = rule.type === "STATIC" ? await countRecorded(rule) : undefined
      if (total !== undefined && total < range.last * smallShare) return listByMembers(rule, total, paging)
      return listByWindows(range, await isInSegment(db, rule, trees, clock.now()), paging)
    },
  }
}

export type LiveContacts = ReturnType<typeof createLiveContacts>

const totalIn = ([row]: { total: number }[]): number => row?.total ?? 0
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
