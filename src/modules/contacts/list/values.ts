import { and, asc, count, desc, eq, or, type SQL, sql } from "drizzle-orm"
import { fillPage } from "../../../http/page.ts"
import { canonicalPart } from "../../../kernel/email-address.ts"
import type { Db } from "../../../store/database.ts"
import { containsText, hasTextValue, idValue, isFlag } from "../../../store/dialect.ts"
import type { Store } from "../../../store/store.ts"
import { type ContactSummary, summaryColumns } from "../store.ts"
import { type Contact, contactTable } from "../table.ts"
import { type Order, positionOf } from "./order.ts"
import type { ContactPage, Paging } from "./page.ts"
import { listInOrder } from "./store.ts"

interface ValueFilter {
  readonly text: string
  readonly subscribed: boolean | undefined
}

/** Whether a contact has a text in its address or in a value of its fields (contract A5.1). */
export const hasText = (text: string): SQL | undefined =>
  or(containsText(contactTable.email, canonicalPart(text)), hasTextValue(contactTable.data, text))

/**
 * Contacts that have a text in their address or in a value of their fields. There is no index for them, so the whole
 * project is read: on a thread, also when it has few contacts, because their values may be long.
 */
export function createValueSearch({ read: db, readPool }: Pick<Store, "read" | "readPool">) {
  const { id, projectId: project, email, subscribed: state, createdAt } = contactTable

  return async (projectId: string, filter: ValueFilter, order: Order, paging: Paging): Promise<ContactPage> => {
    const { text, subscribed } = filter
    const matches = and(
      eq(project, projectId),
      subscribed === undefined ? undefined : isFlag(state, subscribed),
      hasText(text),
    )
    const way = order.dir === "asc" ? asc : desc
    const keys = order.sort === "email" ? [way(email)] : [way(createdAt), way(id)]
    const page = (on: Db, after: Paging["after"], limit: number) =>
      on
        .select(summaryColumns)
        .from(contactTable)
        .where(and(matches, isAfter(order, after)))
        .orderBy(...keys)
        .limit(limit)
    const rows = await fillPage<ContactSummary, Contact>(
      paging.limit,
      async (last, limit) => {
        const after = last ? positionOf(order, last) : paging.after
        return readPool.read(projectId, (on) => page(on, after, limit))
      },
      (places) => listInOrder(db, projectId, order, places),
    )
    if (paging.after !== undefined) return { rows, total: 0 }
    if (rows.length < paging.limit) return { rows, total: rows.length }
    const [total] = await readPool.read(projectId, (on) =>
      on
        .select({ count: count().as("count") })
        .from(contactTable)
        .where(matches),
    )
    return { rows, total: total?.count ?? 0 }
  }
}

function isAfter({ sort, dir }: Order, after: Paging["after"]): SQL | undefined {
  if (after === undefined) return undefined
  const { createdAt, id, email } = contactTable
  const sign = sql.raw(dir === "asc" ? ">" : "<")
  return sort === "email"
    ? sql`${email} ${sign} ${after.key}`
    : sql`(${createdAt}, ${id}) ${sign} (${after.key}, ${idValue(after.id)})`
}
