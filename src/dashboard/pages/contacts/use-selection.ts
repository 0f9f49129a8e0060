import { useCallback, useEffect, useRef, useState } from "react"
import type { ContactFilter } from "../../api/contacts.ts"
import { isSelected, nobody, type Selection, withIds } from "./selection.ts"

/** The selection in a list; a change of the filter clears it. `ids` are those in the list, in its order. */
export function useSelection({ search, subscribed }: ContactFilter, ids: readonly string[]) {
  const of = JSON.stringify([search, subscribed])
  const [state, setState] = useState({ of, selection: nobody })
  const selection = state.of === of ? state.selection : nobody
  const latest = useRef({ of, ids, selection })
  useEffect(() => {
    latest.current = { of, ids, selection }
  })
  const last = useRef<string>(undefined)

  const select = useCallback((selection: Selection) => setState({ of: latest.current.of, selection }), [])
  const tick = useCallback(
    (id: string, selected: boolean, range: boolean) => {
      const { ids, selection } = latest.current
      const from = range && last.current ? ids.indexOf(last.current) : -1
      const to = ids.indexOf(id)
      const ticked = from < 0 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1)
      last.current = id
      select(withIds(selection, ticked, selected))
    },
    [select],
  )
  const toggle = (id: string) => tick(id, !isSelected(selection, id), false)
  return { selection, select, tick, toggle }
}
