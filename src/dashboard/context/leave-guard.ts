import { createContext, useContext, useEffect, useRef } from "react"
import type { AroundNavHandler } from "wouter"
import { confirm } from "../ui/confirm.tsx"
import { isDialogOpen } from "./commands.tsx"

interface UnsavedPage {
  /** Whether an address belongs to the page. */
  stays(path: string): boolean
  /** Stores unsaved changes for after a reload; false when that fails. */
  keep(): boolean
}

/** Leaves a page for another, if that is still what the user wants; false otherwise. */
export type Departure = (go: () => void) => boolean

export interface LeaveGuard {
  /** Runs the action at once or, while there are unsaved changes, after the user agreed to lose them. */
  leave(action: () => void): void
  /**
   * The same, but the page stays guarded: for an action that leaves only if it succeeds. It leaves by the departure
   * that it is given, which does nothing if another page is in view by then, or if there are new unsaved changes.
   */
  beforeLeaving(action: (leave: Departure) => void): void
  /** Guards the page until the returned function is called. */
  hold(page: UnsavedPage): () => void
  /** Stops guarding, because there is nothing left to save. */
  release(): void
  /** Leaves the page at this address without asking; false if another one is in view by now. */
  depart(address: string, go: () => void): boolean
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

/** For what was saved or is gone: leaves the page without asking, unless another one is in view by then. */
export function useDeparture(): Departure {
  const { depart } = useGuard()
  const address = location.pathname
  return (go) => depart(address, go)
}

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
  // the newest last: a page may have changes of several kinds, each saved on its own
  let held: readonly UnsavedPage[] = []
  /** The address of the page in view, with the query string that it has by now. */
  let here = ""
  const noteHere = () => {
    here = location.pathname + location.search
  }
  noteHere()
  /** Whether the next history step is that which the user has agreed to. */
  let isAgreed = false
  const allStay = (path: string): boolean => held.every(({ stays }) => stays(path))

  const ask = (onConfirm: () => void) =>
    confirm({
      title: "Leave without saving?",
      text: "What you changed here is lost.",
      confirm: "Leave",
      cancel: "Stay",
      onConfirm,
    })
  const release = () => {
    held = []
  }
  const depart = (address: string, go: () => void): boolean => {
    if (location.pathname !== address) return false
    release()
    go()
    return true
  }
  const askToLeave = (action: () => void) =>
    ask(() => {
      release()
      action()
    })

  window.addEventListener("beforeunload", (event) => {
    if (held.filter(({ keep }) => !keep()).length > 0) event.preventDefault()
  })
  window.addEventListener("popstate", (event) => {
    const closesDialog = !isAgreed && isDialogOpen()
    isAgreed = false
    if (!closesDialog && allStay(location.pathname)) return noteHere()
    // a history step cannot be prevented, only undone
    event.stopImmediatePropagation()
    history.pushState(null, "", here)
    // as on a phone, where the gesture for going back closes what is on top
    if (closesDialog)
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }))
    else
      askToLeave(() => {
        isAgreed = true
        history.back()
      })
  })

  return {
    leave: (action) => (held.length > 0 ? askToLeave(action) : action()),
    beforeLeaving(action) {
      const [agreed, address] = [held, location.pathname]
      const leave: Departure = (go) => held.every((one) => agreed.includes(one)) && depart(address, go)
      if (held.length > 0) ask(() => action(leave))
      else action(leave)
    },
    hold(page) {
      held = [...held, page]
      noteHere()
      return () => {
        held = held.filter((one) => one !== page)
      }
    },
    release,
    depart,
    around: (navigate, to, options) => {
      if (!allStay(new URL(to, location.href).pathname)) return askToLeave(() => navigate(to, options))
      navigate(to, options)
      noteHere()
    },
  }
}
