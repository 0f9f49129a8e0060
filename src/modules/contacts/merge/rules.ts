import { DomainError } from "../../../kernel/errors.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import { type Patched, patchData, typeOf } from "../data.ts"
import { maxFields } from "../fields/catalogue.ts"
import type { Contact, FieldType } from "../table.ts"

/** Data for the contact with an address. */
export interface MergeRow {
  /** In canonical form. */
  readonly email: string
  readonly data: JsonObject
}

/**
 * The effect of a row. The last two had none, because the data of the contact, or the fields of the project, would exceed
 * their limit (contract A9, row 14).
 */
export type MergeOutcome = "created" | "updated" | "too_big" | "too_many_fields"

interface Merged {
  /** Each contact once, in its state after its last row. */
  readonly created: readonly Contact[]
  readonly changed: readonly Contact[]
  /** How many contacts have gained a key, with the type of its first value. */
  readonly gained: ReadonlyMap<string, { readonly type: FieldType; readonly count: number }>
  /** In the order of the rows. */
  readonly outcomes: readonly MergeOutcome[]
}

interface MergeContext {
  readonly now: number
  create(email: string, data: JsonObject): Contact
  /** The custom fields of the project before the first row. */
  readonly fields: ReadonlySet<string>
}

/**
 * Applies rows in their order: a new address becomes what `create` makes of it, a known one takes the data as a patch,
 * also when an earlier row created it (contract A5.16.5). Pure.
 */
export function mergeRows(
  known: ReadonlyMap<string, Contact>,
  rows: readonly MergeRow[],
  { now, create, fields }: MergeContext,
): Merged {
  const merged = new Map(known)
  const keys = new Set(fields)
  const gained = new Map<string, { type: FieldType; count: number }>()

  function merge({ email, data }: MergeRow): MergeOutcome {
    const before = merged.get(email)
    const patched = patchWithinLimit(before?.data ?? {}, data)
    if (patched === undefined) return "too_big"
    const { stored, added } = patched
    const fresh = added.filter((key) => !keys.has(key))
    if (fresh.length > 0 && keys.size + fresh.length > maxFields) return "too_many_fields"
    for (const key of fresh) keys.add(key)
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

/** Undefined when the contact would exceed its limit. */
function patchWithinLimit(stored: JsonObject, sent: JsonObject): Patched | undefined {
  try {
    return patchData(stored, sent)
  } catch (cause) {
    if (cause instanceof DomainError && cause.kind === "invalid") return undefined
    throw cause
  }
}
