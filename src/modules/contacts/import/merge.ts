import { DomainError } from "../../../kernel/errors.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import { type Patched, patchData, typeOf } from "../data.ts"
import type { Contact, FieldType } from "../table.ts"
import type { ImportRow } from "./columns.ts"
import type { ImportError } from "./table.ts"

/** What some rows make of the contacts of a project. */
export interface Merged {
  /** Each once, however many rows it has, and as it is after the last of them. */
  readonly created: readonly Contact[]
  readonly changed: readonly Contact[]
  /** How many contacts have a key now that had not, with the type of its first value. */
  readonly gained: ReadonlyMap<string, { readonly type: FieldType; readonly count: number }>
  /** Rows whose contact was there before them, changed or not. */
  readonly updated: number
  /** Rows that were left out. */
  readonly errors: readonly ImportError[]
}

/**
 * Takes rows into account in their order: a new address becomes what `create` makes of it, a known one takes the cells
 * as a patch, also when an earlier row brought it (contract A5.16.5). Pure.
 */
export function mergeRows(
  known: ReadonlyMap<string, Contact>,
  rows: readonly ImportRow[],
  { now, create }: { now: number; create: (email: string, data: JsonObject) => Contact },
): Merged {
  const merged = new Map(known)
  const gained = new Map<string, { type: FieldType; count: number }>()
  const errors: ImportError[] = []
  let updated = 0

  for (const { row, email, address, data } of rows) {
    if (address === undefined) {
      errors.push({ row, email, reason: "invalid_email" })
      continue
    }
    const there = merged.get(address)
    const patched = patchWithin(there?.data ?? {}, data)
    if (patched === undefined) {
      errors.push({ row, email, reason: "data_too_big" })
      continue
    }
    const { stored, added } = patched
    if (there === undefined) merged.set(address, create(address, stored))
    else if (stored !== there.data) merged.set(address, { ...there, data: stored, updatedAt: now })
    if (there !== undefined) updated++
    for (const key of added) {
      const field = gained.get(key)
      if (field === undefined) gained.set(key, { type: typeOf(stored[key] ?? null), count: 1 })
      else field.count++
    }
  }

  const all = [...merged.values()]
  return {
    created: all.filter(({ email }) => !known.has(email)),
    changed: all.filter((contact) => known.has(contact.email) && known.get(contact.email) !== contact),
    gained,
    updated,
    errors,
  }
}

/** Undefined when the contact would hold more than it may (contract A2.1.6). */
function patchWithin(stored: JsonObject, sent: JsonObject): Patched | undefined {
  try {
    return patchData(stored, sent)
  } catch (cause) {
    if (cause instanceof DomainError && cause.kind === "invalid") return undefined
    throw cause
  }
}
