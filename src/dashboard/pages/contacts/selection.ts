import type { BulkTarget, ContactFilter } from "../../api/contacts.ts"

/** The selected contacts: some, or all that match the list's filter except some. */
export type Selection =
  | { readonly of: "some"; readonly ids: ReadonlySet<string> }
  | { readonly of: "all"; readonly except: ReadonlySet<string> }

export const nobody: Selection = { of: "some", ids: new Set() }
export const everyone: Selection = { of: "all", except: new Set() }

/** The server refuses more ids (contract A9.3). */
const mostIds = 1000
const mostExcepted = 10_000

export const isSelected = (selection: Selection, id: string): boolean =>
  selection.of === "some" ? selection.ids.has(id) : !selection.except.has(id)

/** Selects or deselects the given ones. */
export function withIds(selection: Selection, ids: readonly string[], selected: boolean): Selection {
  const named = new Set(selection.of === "some" ? selection.ids : selection.except)
  const add = (selection.of === "some") === selected
  for (const id of ids) {
    if (add) named.add(id)
    else named.delete(id)
  }
  return selection.of === "some" ? { of: "some", ids: named } : { of: "all", except: named }
}

/** `total` is the number of those who match. */
export const countOf = (selection: Selection, total: number): number =>
  selection.of === "some" ? selection.ids.size : Math.max(0, total - selection.except.size)

/** Why the selection is too large for a job, if it is. */
export function tooMany(selection: Selection): string | null {
  if (selection.of === "some" && selection.ids.size > mostIds)
    return `At most ${mostIds.toLocaleString("en")} by hand: select everyone who matches instead.`
  if (selection.of === "all" && selection.except.size > mostExcepted) return "Too many exceptions: narrow the search."
  return null
}

export const targetOf = (selection: Selection, { search, subscribed }: ContactFilter): BulkTarget =>
  selection.of === "some"
    ? { mode: "ids", contactIds: [...selection.ids] }
    : {
        mode: "query",
        filter: { ...(search ? { find: search } : {}), ...(subscribed === null ? {} : { subscribed }) },
        excludeIds: [...selection.except],
      }
