import { and, type Column, desc, eq, gte, lte, type SQL, sql } from "drizzle-orm"
import { hour as hourMs } from "../../kernel/clock.ts"
import type { Db } from "../../store/database.ts"
import { idParam, idValue, isUnindexed } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import type { campaignTable } from "../campaigns/index.ts"
import type { emailTable } from "../emails/index.ts"
import type { eventTable } from "../events/index.ts"
import type { executionTable } from "../workflows/index.ts"

/** An item of the feed before its record is read. */
export interface Entry {
  readonly type: string
  /** The id of the record. */
  readonly id: string
  /** In ms. */
  readonly at: number
}

/**
 * The position in one source before which a page begins: entries of a later time, or of the same time with this or a
 * later id, are on earlier pages.
 */
export type Place = Pick<Entry, "at" | "id">

/** Whose entries are read, and since when. */
export interface Span {
  readonly projectId: string
  readonly contactId?: string | undefined
  readonly from: number
}

/** Something that is counted by its time. */
export interface Counted {
  readonly type: string
  /** Whether the tally has it; otherwise it is counted in its table, which is small. */
  readonly tallied: boolean
  /** Whether they can be counted from an index alone: a thousand in some 30 µs. */
  readonly isCovered: boolean
  /** How many there are from the beginning of a span to a time, which is included. */
  count(db: Db, span: Span, to: number): Promise<number>
  /** The same by the hour, counted from the epoch; hours without any are missing. */
  countHours(db: Db, span: Span, to: number): Promise<{ hour: number; count: number }[]>
}

/** One type of activity. */
export interface Source extends Counted {
  /** The kind of record that its entries refer to. */
  readonly record: string
  /** The id of an item, made of the id of its record. */
  readonly idOf: (id: string) => string
  /** The entries after a place, newest first. */
  list(db: Db, span: Span, after: Place, limit: number): Promise<Entry[]>
}

/** Which rows of which table are a source, and which columns have their time and their contact. */
export interface SourceRows extends Pick<Source, "type" | "record" | "tallied"> {
  readonly isCovered?: boolean
  readonly idOf?: Source["idOf"]
  readonly table: typeof emailTable | typeof eventTable | typeof campaignTable | typeof executionTable
  readonly columns: {
    readonly id: Column
    readonly projectId: Column
    readonly at: Column
    /** Absent where nothing belongs to a contact. */
    readonly contactId?: Column
  }
  /** The condition of the partial index with these rows, literally. */
  readonly is?: SQL
}

/** The values of a query, or the placeholders of a prepared one. */
type Given<T> = { readonly [Name in keyof T]: T[Name] | SQL }

/** The rows of a project are found by an index on project and time, those of one contact by their contact. */
export function defineSource({
  table,
  columns,
  is,
  isCovered = true,
  idOf = (id) => id,
  ...source
}: SourceRows): Source {
  const { id, projectId, at, contactId } = columns
  const from = (db: Db, fields: Record<string, SQL.Aliased>) => db.select(fields).from(table as typeof emailTable)
  const matches = (span: Given<Span>, to: unknown): SQL | undefined =>
    and(
      span.contactId === undefined
        ? eq(projectId, span.projectId)
        : and(contactId && eq(contactId, span.contactId), isUnindexed(projectId, span.projectId)),
      is,
      gte(at, span.from),
      lte(at, to),
    )
  const page = (db: Db, span: Given<Span>, after: Given<Place>, limit: number | ReturnType<typeof sql.placeholder>) =>
    from(db, { id: sql`${id}`.mapWith(id).as("id"), at: sql`${at}`.as("at") })
      .where(and(matches(span, after.at), sql`(${at}, ${id}) < (${after.at}, ${idValue(after.id)})`))
      .orderBy(desc(at), desc(id))
      .limit(limit)
  const total = (db: Db, span: Given<Span>, to: unknown) =>
    from(db, { count: sql`count(*)`.as("count") }).where(matches(span, to))

  const ofProject = { projectId: idParam("projectId"), from: sql`${sql.placeholder("from")}` }
  const place = { at: sql`${sql.placeholder("at")}`, id: idParam("id") }
  const pageOfProject = prepare((db) => page(db, ofProject, place, sql.placeholder("limit")))
  const totalOfProject = prepare((db) => total(db, ofProject, sql.placeholder("to")))
  const isEmpty = (span: Span) => span.contactId !== undefined && contactId === undefined

  return {
    ...source,
    isCovered,
    idOf,
    async list(db, span, after, limit) {
      if (isEmpty(span)) return []
      const rows = await (span.contactId === undefined
        ? pageOfProject(db, { projectId: span.projectId, from: span.from, at: after.at, id: after.id, limit })
        : page(db, span, after, limit))
      return rows.map((row) => ({ type: source.type, ...(row as Place) }))
    },
    async count(db, span, to) {
      if (isEmpty(span)) return 0
      const [row] = await (span.contactId === undefined
        ? totalOfProject(db, { projectId: span.projectId, from: span.from, to })
        : total(db, span, to))
      return (row as { count: number } | undefined)?.count ?? 0
    },
    async countHours(db, span, to) {
      const hour = sql`${at} / ${sql.raw(String(hourMs))}`
      const rows = await from(db, { hour: hour.as("hour"), count: sql`count(*)`.as("count") })
        .where(matches(span, to))
        .groupBy(hour)
      return rows as { hour: number; count: number }[]
    },
  }
}
