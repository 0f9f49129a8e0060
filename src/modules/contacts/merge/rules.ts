import { DomainError } from "../../../kernel/errors.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import { type Patched, patchData, typeOf } from "../data.ts"
import type { Contact, FieldType } from "../table.ts"

/** Data for the contact with an address. */
export interface MergeRow {
  /** In canonical form. */
  readonly email: string
  readonly data: JsonObject
}

/** What a row did; `too_big` did nothing, for the contact would hold more than it may (contract A2.1.6). */
export type MergeOutcome = "created" | "updated" | "too_big"

export interface Merged {
  /** Each contact once, however many rows it has, as it is after the last of them. */
  readonly created: readonly Contact[]
  readonly changed: readonly Contact[]
  /** How many contacts have gained a key, with the type of its first value. */
  readonly gained: ReadonlyMap<string, { readonly type: FieldType; readonly count: number }>
  /** In the order of the rows. */
  readonly outcomes: readonly MergeOutcome[]
}

/**
 * Applies rows in their order: a new address becomes what `create` makes of it, a known one takes the data as a patch,
 * also when an earlier row created it (contract A5.16.5). Pure.
 */
export function mergeRows(
  known: ReadonlyMap<string, Contact>,
  rows: readonly MergeRow[],
  { now, create }: { now: number; create: (email: string, data: JsonObject) => Contact },
): Merged {
  const merged = new Map(known)
  const gained = new Map<string, { type: FieldType; count: number }>()

  function merge({ email, data }: MergeRow): MergeOutcome {
    const before = merged.get(email)
    const patched = patchWithinLimit(before?.data ?? {}, data)
    if (patched === undefined) return "too_big"
    const { stored, added } = patched
    if (before === undefined) merged.set(email, create(email, stored))
    else if (stored !== before.data) merged.set(email, { ...before, data: stored, updatedAt: now })
    for (const key of added) {
      const field = gained.get(key)
      if (field === undefined) gained.set(key, { type: typeOf(stored[key] ?? null), count: 1 })
      else field.count++
    }
    return before === undefined ? "created" : "updated"
  }

  const outcomes = rows.map(merge)
  const all = [...merged.values()]
  return {
    created: all.filter(({ email }) => !known.has(email)),
    changed: all.filter((contact) => known.has(contact.email) && known.get(contact.email) !== contact),
    gained,
    outcomes,
  }
}

/** Undefined when the contact would hold more than it may. */
function patchWithinLimit(stored: JsonObject, sent: JsonObject): Patched | undefined {
  try {
    return patchData(stored, sent)
  } catch (cause) {
    if (cause instanceof DomainError && cause.kind === "invalid") return undefined
    throw cause
  }
}
