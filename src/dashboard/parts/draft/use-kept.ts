import { useCallback, useEffect, useRef } from "react"
import type { Edited, KeptDraft } from "./kept.ts"

/** The pause in typing before the draft is stored, in ms. */
const pause = 300

/**
 * Stores a dirty draft in this browser, so that it survives a reload, a crash, a closed tab, and a project that is closed
 * to the user for a while. Leaving the editor for another page has asked the user, so the draft is deleted then. Returns
 * a function that stores it at once and returns whether that worked.
 */
export function useKept<Base, Content>(
  kept: KeptDraft<Base, Content>,
  edited: Edited<Base, Content>,
  isDirty: boolean,
): () => boolean {
  const latest = useRef({ edited, isDirty })
  // What another tab has stored of the item is not deleted by one without changes.
  const isOurs = useRef(isDirty)
  useEffect(() => {
    latest.current = { edited, isDirty }
  })
  const forget = useCallback(() => {
    if (isOurs.current) kept.forget()
    isOurs.current = false
  }, [kept])
  const write = useCallback(() => {
    if (latest.current.isDirty) {
      isOurs.current = true
      return kept.write(latest.current.edited)
    }
    forget()
    return true
  }, [kept, forget])
  // biome-ignore lint/correctness/useExhaustiveDependencies: written after each change
  useEffect(() => {
    const timer = setTimeout(write, pause)
    return () => clearTimeout(timer)
  }, [edited.base, edited.content, isDirty, write])
  useEffect(() => {
    const address = location.pathname
    window.addEventListener("pagehide", write)
    return () => {
      window.removeEventListener("pagehide", write)
      if (location.pathname === address) write()
      else forget()
    }
  }, [write, forget])
  return write
}
