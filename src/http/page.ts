import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { malformed } from "../kernel/errors.ts"
import { parseId } from "../kernel/ids.ts"
import { about, answers, query } from "./openapi/describe.ts"

export type Query = Readonly<Record<string, string | undefined>>

/** What follows the question mark of a URL. */
export function searchOf(url: string): string {
  const at = url.indexOf("?")
  return at < 0 ? "" : url.slice(at + 1)
}

/** The query parameters of a request; the first one counts if it is repeated (contract A1.2.3). */
export function queryOf(url: string): Query {
  const search = searchOf(url)
  return search === "" ? {} : Object.fromEntries([...new URLSearchParams(search)].reverse())
}

export const defaultLimit = 20
export const maxLimit = 100

/** A positive count in a query: anything else gives the default, and more than `max` gives `max` (contract A1.4.1). */
export function countIn(value: string | undefined, fallback: number, max = Number.MAX_SAFE_INTEGER): number {
  const count = value !== undefined && /^\d+$/.test(value) ? Number(value) : 0
  return count === 0 ? fallback : Math.min(count, max)
}

/** One of the allowed values, or the default (contract A1.4.6). */
export const choiceIn = <const T extends string>(value: string | undefined, allowed: readonly T[], fallback: T): T =>
  allowed.find((one) => one === value) ?? fallback

/** One of the allowed values, undefined when there is none. @throws 400 for another one */
export function requiredChoiceIn<const T extends string>(
  name: string,
  value: string | undefined,
  allowed: readonly T[],
): T | undefined {
  const found = allowed.find((one) => one === value)
  if (value !== undefined && found === undefined) throw malformed(`${name} must be one of ${allowed.join(", ")}.`)
  return found
}

export const flagIn = (value: string | undefined): boolean | undefined =>
  value === "true" ? true : value === "false" ? false : undefined

/** An empty parameter counts as omitted (contract A1.2.3). */
export const given = (value: string | undefined): string | undefined => (value === "" ? undefined : value)

/** The trimmed search text; undefined when there is none. */
export const searchIn = (value: string | undefined): string | undefined => given(value?.trim())

/**
 * A position in a sorted list: the sort key and the id of the last item, bound to the sort order it was created with.
 */
export interface Cursor {
  readonly key: string | number
  readonly id: string
}

/** Cursors are opaque to clients; `order` names sort and direction, so that a cursor of another order is refused. */
export function encodeCursor(order: string, { key, id }: Cursor): string {
  return Buffer.from(JSON.stringify([order, key, id])).toString("base64url")
}

/**
 * What the cursors of a list contain: a sort key of one type and an id, by default a UUID; `isId` recognizes other
 * forms.
 */
interface CursorForm<K> {
  readonly key: K
  readonly isId?: (id: string) => boolean
}

/** @throws {DomainError} 400 for a cursor that is malformed or of another order (contract A1.4.2) */
export function decodeCursor<K extends "string" | "number">(
  order: string,
  cursor: string | undefined,
  { key: type, isId = (id) => parseId(id) === id }: CursorForm<K>,
): (Cursor & { readonly key: K extends "number" ? number : string }) | undefined {
  if (cursor === undefined || cursor === "") return undefined
  try {
    const bytes = Buffer.from(cursor, "base64url")
    const parts: unknown = JSON.parse(bytes.toString("utf8"))
    if (Array.isArray(parts) && bytes.toString("base64url") === cursor) {
      const [made, key, id] = parts
      const isOurs = made === order && isKey(key, type) && typeof id === "string" && isId(id) && parts.length === 3
      if (isOurs) return { key: key as never, id }
    }
  } catch {
    // Not a cursor of ours: refused below.
  }
  throw malformed("The cursor is not valid for this list and order.", { suggestion: "Start again without a cursor." })
}

/** Numeric sort keys are times and counts, so they are safe integers. */
const isKey = (key: unknown, type: "string" | "number"): boolean =>
  type === "string" ? typeof key === "string" : Number.isSafeInteger(key)

export interface CursorPage<T> {
  readonly data: readonly T[]
  readonly cursor?: string
  readonly hasMore: boolean
  readonly total: number
}

/** Presents a page; `rows` has one item more than the limit if there is a next page. */
export function cursorPage<R, W>(
  rows: readonly R[],
  {
    limit,
    total,
    cursorOf,
    present,
  }: { limit: number; total: number; cursorOf: (row: R) => string; present: (row: R) => W },
): CursorPage<W> {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  const hasMore = rows.length > limit
  const page = { data: data.map(present), hasMore, total }
  return hasMore && last !== undefined ? { ...page, cursor: cursorOf(last) } : page
}

/**
 * The rows of a page that is read in two steps: positions first, then rows. Rows that are deleted in between are
 * replaced by the next ones, because a page with fewer than `limit` rows counts as the last one.
 */
export async function fillPage<P, R>(
  limit: number,
  listPlaces: (after: P | undefined, limit: number) => Promise<readonly P[]>,
  listRows: (places: readonly P[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const rows: R[] = []
  let after: P | undefined
  for (;;) {
    const wanted = limit - rows.length
    const places = await listPlaces(after, wanted)
    rows.push(...(await listRows(places)))
    if (places.length < wanted || rows.length === limit) return rows
    after = places.at(-1)
  }
}

/** The requested page of a page list, counted from 1, and the number of items before it. */
export interface Paging {
  readonly page: number
  readonly pageSize: number
  readonly offset: number
}

export function pageIn(query: Query): Paging {
  const page = countIn(query.page, 1)
  const pageSize = countIn(query.pageSize, defaultLimit, maxLimit)
  return { page, pageSize, offset: Math.min((page - 1) * pageSize, Number.MAX_SAFE_INTEGER) }
}

export interface PageList<T> {
  readonly data: readonly T[]
  readonly total: number
  readonly page: number
  readonly pageSize: number
  readonly totalPages: number
}

/** A page of a list with `total` items in all (contract A1.4.5). */
export const pageList = <R, W>(
  rows: readonly R[],
  { paging, total, present }: { paging: Paging; total: number; present: (row: R) => W },
): PageList<W> => ({
  data: rows.map((row) => present(row)),
  total,
  page: paging.page,
  pageSize: paging.pageSize,
  totalPages: Math.ceil(total / paging.pageSize),
})

/** The parameters of a page list, for the document. */
export const pageQuery = query({
  page: about("Counted from 1.", Type.Integer({ minimum: 1, default: 1 })),
  pageSize: about("How many items a page has.", Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit })),
})

/** The answer of a page list, for the document. */
export const pageAnswer = <S extends TSchema>(item: S, example: Static<S>) =>
  answers(
    200,
    Type.Object({
      data: Type.Array(item),
      total: about("All matches.", Type.Integer()),
      page: Type.Integer(),
      pageSize: about("The one that was used.", Type.Integer()),
      totalPages: about("0 for an empty list.", Type.Integer()),
    }),
    { data: [example], total: 1, page: 1, pageSize: defaultLimit, totalPages: 1 },
  )
