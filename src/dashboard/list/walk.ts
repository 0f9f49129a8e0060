import { type Icon, IconArrowBackUp, IconArrowDown, IconArrowUp, IconRefresh, IconSearch } from "@tabler/icons-react"
import type { RefObject } from "react"
import type { Command } from "../context/commands.tsx"

/** A list whose rows open beside it, or replace it where the screen is narrow. */
export interface OpenList<T extends { readonly id: string }> {
  readonly rows: readonly T[]
  readonly openId: string | undefined
  /** The neighbours of the open row in the whole list, for a linked row that is not among `rows`. */
  readonly beside?: { readonly older: string | null; readonly newer: string | null } | undefined
  /** Whether the open row was reached by a link, so that it keeps its entry in the history. */
  readonly isLinked?: boolean
  /** The row of the keyboard cursor. */
  readonly cursor: string | undefined
  setCursor(id: string): void
  open(id: string | undefined, replace?: boolean): void
  readonly narrow: boolean
  readonly searchRef: RefObject<HTMLInputElement | null>
  /** Null when nothing is searched. */
  readonly clear: (() => void) | null
}

interface Walk<T> {
  /** The open row, or else the one of the keyboard cursor. */
  readonly target: T | undefined
  readonly next: (() => void) | undefined
  readonly previous: (() => void) | undefined
  /** Closes the open row and returns to it in the list; false when none is open. */
  close(): boolean
}

/** Moves from row to row; while one is open, the next is opened instead. `focus` scrolls a row into view. */
export function walkThrough<T extends { readonly id: string }>(
  list: OpenList<T>,
  focus: (id: string) => void,
): Walk<T> {
  const { rows, openId, beside, isLinked = false, cursor, setCursor, open, narrow } = list
  const position = rows.findIndex(({ id }) => id === (openId ?? cursor))
  const stepTo = (row: T | undefined) =>
    row &&
    (() => {
      setCursor(row.id)
      if (openId) open(row.id, !isLinked)
      if (!openId || !narrow) focus(row.id)
    })
  const isElsewhere = openId !== undefined && position < 0
  const leaveTo = (id: string | null | undefined) => (id ? () => open(id) : undefined)
  return {
    target: rows[position],
    next: isElsewhere ? leaveTo(beside?.older) : stepTo(rows[position + 1]),
    previous: isElsewhere ? leaveTo(beside?.newer) : stepTo(rows[position - 1]),
    close() {
      if (!openId) return false
      open(undefined)
      setCursor(openId)
      requestAnimationFrame(() => focus(openId))
      return true
    },
  }
}

interface WalkActions {
  readonly openIcon: Icon
  refresh(): void
  back(): void
}

/** The keyboard commands of every such list. */
export function walkCommands<T extends { readonly id: string }>(
  { open, searchRef }: OpenList<T>,
  { target, next, previous }: Walk<T>,
  { openIcon, refresh, back }: WalkActions,
): Command[] {
  const list = { group: "List" } as const
  const byKey = { ...list, keyOnly: true } as const
  return [
    { ...byKey, id: "next", label: "Next", icon: IconArrowDown, keys: ["j", "ArrowDown"], run: () => next?.() },
    { ...byKey, id: "previous", label: "Previous", icon: IconArrowUp, keys: ["k", "ArrowUp"], run: () => previous?.() },
    {
      ...byKey,
      id: "open",
      label: "Open",
      icon: openIcon,
      keys: ["o", "Enter"],
      run: () => target && open(target.id),
    },
    {
      ...byKey,
      id: "back",
      label: "Back to the list",
      icon: IconArrowBackUp,
      keys: ["u", "Escape"],
      run: back,
    },
    { ...list, id: "search", label: "Search", icon: IconSearch, keys: ["/"], run: () => searchRef.current?.focus() },
    { ...list, id: "refresh", label: "Refresh", icon: IconRefresh, keys: ["r"], run: refresh },
  ]
}
