import { type Cursor, choiceIn, decodeCursor, encodeCursor, type Query } from "../../../http/page.ts"
import type { ContactRow } from "../table.ts"

export const sortKeys = ["createdAt", "email"] as const
export const directions = ["desc", "asc"] as const

export interface Order {
  readonly sort: (typeof sortKeys)[number]
  readonly dir: (typeof directions)[number]
}

/** A contact's position in an order: its sort key, and its id among equal keys. */
export type Position = Cursor

export const orderIn = (query: Query): Order => ({
  sort: choiceIn(query.sort, sortKeys, "createdAt"),
  dir: choiceIn(query.dir, directions, "desc"),
})

const nameOf = ({ sort, dir }: Order): string => `${sort}.${dir}`

export const positionOf = ({ sort }: Order, contact: Pick<ContactRow, "createdAt" | "email" | "id">): Position => ({
  key: contact[sort],
  id: contact.id,
})

/** Positions before and after every contact; addresses are ASCII. */
const least = { createdAt: { key: -1, id: "" }, email: { key: "", id: "" } } as const
const greatest = { createdAt: { key: Number.MAX_SAFE_INTEGER, id: "" }, email: { key: "\x7f", id: "" } } as const

export const startOf = ({ sort, dir }: Order): Position => (dir === "asc" ? least : greatest)[sort]
export const endOf = ({ sort, dir }: Order): Position => (dir === "asc" ? greatest : least)[sort]

/** Compares two positions as a list in this order has them. */
export const comparePositions =
  ({ dir }: Order) =>
  (one: Position, other: Position): number => {
    const ahead = one.key === other.key ? one.id < other.id : one.key < other.key
    if (ahead) return dir === "asc" ? -1 : 1
    return one.key === other.key && one.id === other.id ? 0 : dir === "asc" ? 1 : -1
  }

export const cursorAt = (order: Order, position: Position): string => encodeCursor(nameOf(order), position)

/** @throws {DomainError} 400 for a cursor of another order (contract A1.4.2) */
export function cursorIn(order: Order, query: Query): Position | undefined {
  return decodeCursor(nameOf(order), query.cursor, { key: order.sort === "email" ? "string" : "number" })
}
