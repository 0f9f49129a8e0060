import { useCallback, useEffect, useRef } from "react"
import type { Edited, KeptDraft } from "./kept.ts"

/** After which typing has paused, in ms. */
const pause = 300

/**
 * Keeps what is edited in this browser while it is dirty, so that it survives a reload, a crash and a closed tab. Whoever
 * leaves the editor within the page was asked, so it is given up then. Returns a function that writes at once and tells
 * whether that worked.
 */
export function useKept<Base, Content>(
  kept: KeptDraft<Base, Content>,
  edited: Edited<Base, Content>,
  isDirty: boolean,
): () => boolean {
  const latest = useRef({ edited, isDirty })
  useEffect(() => {
    latest.current = { edited, isDirty }
  })
  const write = useCallback(() => {
    if (latest.current.isDirty) return kept.write(latest.current.edited)
    kept.forget()
    return true
  }, [kept])
  // biome-ignore lint/correctness/useExhaustiveDependencies: written after each change
  useEffect(() => {
    const timer = setTimeout(write, pause)
    return () => clearTimeout(timer)
  }, [edited.base, edited.content, isDirty, write])
  useEffect(() => {
    window.addEventListener("pagehide", write)
    return () => {
      window.removeEventListener("pagehide", write)
      kept.forget()
    }
  }, [kept, write])
  return write
}
