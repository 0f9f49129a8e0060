import { createContext, useContext, useEffect, useRef } from "react"
import type { AroundNavHandler } from "wouter"
import { confirm } from "../ui/confirm.tsx"

interface UnsavedPage {
  /** Whether an address belongs to the page. */
  stays(path: string): boolean
  /** Stores unsaved changes for after a reload; false when that fails. */
  keep(): boolean
}

export interface LeaveGuard {
  /** Runs the action at once or, while there are unsaved changes, after the user agreed to lose them. */
  leave(action: () => void): void
  /** The same, but the page stays guarded: for an action that leaves only if it succeeds, and then calls `release`. */
  beforeLeaving(action: () => void): void
  /** Guards the page until the returned function is called. */
  hold(page: UnsavedPage): () => void
  /** Stops guarding, because unsaved changes can no longer be saved. */
  release(): void
  /** For the router, around every navigation. */
  readonly around: AroundNavHandler
}

export const LeaveGuardContext = createContext<LeaveGuard | null>(null)

function useGuard(): LeaveGuard {
  const guard = useContext(LeaveGuardContext)
  if (!guard) throw new Error("useGuard outside of LeaveGuardContext")
  return guard
}

export const useLeave = (): LeaveGuard["leave"] => useGuard().leave
export const useBeforeLeaving = (): LeaveGuard["beforeLeaving"] => useGuard().beforeLeaving
export const useRelease = (): LeaveGuard["release"] => useGuard().release

/**
 * Asks before the page is left in any way while `unsaved`. Addresses that `stays` accepts belong to the page. A reload
 * asks only if `keep`, which stores the changes until then, fails.
 */
export function useUnsaved(unsaved: boolean, stays: (path: string) => boolean, keep: () => boolean): void {
  const { hold } = useGuard()
  const latest = useRef({ stays, keep })
  useEffect(() => {
    latest.current = { stays, keep }
  })
  useEffect(() => {
    if (!unsaved) return undefined
    return hold({ stays: (path) => latest.current.stays(path), keep: () => latest.current.keep() })
  }, [unsaved, hold])
}

/**
 * Listens to the window from its creation. Must be created before the router, which would otherwise handle `popstate`
 * first.
 */
export function createLeaveGuard(): LeaveGuard {
  let held: (UnsavedPage & { readonly address: string }) | null = null

  const ask = (onConfirm: () => void) =>
    confirm({
      title: "Leave without saving?",
      text: "What you changed here is lost.",
      confirm: "Leave",
      cancel: "Stay",
      onConfirm,
    })
  const release = () => {
    held = null
  }
  const askToLeave = (action: () => void) =>
    ask(() => {
      release()
      action()
    })

  window.addEventListener("beforeunload", (event) => {
    if (held && !held.keep()) event.preventDefault()
  })
  window.addEventListener("popstate", (event) => {
    if (!held || held.stays(location.pathname)) return
    // a history step cannot be prevented, only undone
    event.stopImmediatePropagation()
    history.pushState(null, "", held.address)
    askToLeave(() => history.back())
  })

  return {
    leave: (action) => (held ? askToLeave(action) : action()),
    beforeLeaving: (action) => (held ? ask(action) : action()),
    hold(page) {
      const mine = { ...page, address: location.pathname + location.search }
      held = mine
      return () => {
        if (held === mine) held = null
      }
    },
    release,
    around: (navigate, to, options) => {
      if (!held || held.stays(new URL(to, location.href).pathname)) navigate(to, options)
      else askToLeave(() => navigate(to, options))
    },
  }
}
