import { useCallback, useRef, useState } from "react"

const most = 100
/** Changes of one kind within this time are undone together, in ms. */
const together = 1_200

interface Past<T> {
  readonly past: readonly T[]
  readonly future: readonly T[]
}

export interface History<T> {
  /** Sets the next state. Changes with the same `key` in quick succession are one. */
  change(next: T, key?: string): void
  /** Undefined when there is nothing to undo. */
  readonly undo: (() => void) | undefined
  readonly redo: (() => void) | undefined
}

/** Undo and redo of a state that is held elsewhere. */
export function useHistory<T>(present: T, set: (state: T) => void): History<T> {
  const [{ past, future }, setPast] = useState<Past<T>>({ past: [], future: [] })
  const last = useRef({ key: "", at: 0 })
  const [before, after] = [past.at(-1), future[0]]
  const change = useCallback(
    (next: T, key = "") => {
      const at = Date.now()
      const isSame = key !== "" && key === last.current.key && at - last.current.at < together
      last.current = { key, at }
      setPast((now) => ({ past: isSame ? now.past : [...now.past, present].slice(-most), future: [] }))
      set(next)
    },
    [present, set],
  )
  return {
    change,
    undo:
      before === undefined
        ? undefined
        : () => {
            last.current = { key: "", at: 0 }
            setPast({ past: past.slice(0, -1), future: [present, ...future] })
            set(before)
          },
    redo:
      after === undefined
        ? undefined
        : () => {
            last.current = { key: "", at: 0 }
            setPast({ past: [...past, present], future: future.slice(1) })
            set(after)
          },
  }
}
