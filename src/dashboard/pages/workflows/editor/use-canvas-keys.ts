import { notifications } from "@mantine/notifications"
import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react"
import type { Flow } from "./flow.ts"
import { copyText, stepsFrom } from "./model/clipboard.ts"
import type { Place } from "./model/graph.ts"
import type { Steps } from "./use-steps.ts"

interface CanvasKeys {
  flow: Flow
  steps: Steps
  /** The place that has the focus. */
  place(): Place | null
  remove(ids: readonly string[]): void
}

/** The step that has the focus, or else those that are chosen. */
const subjects = (target: EventTarget | null, chosen: readonly string[]): readonly string[] => {
  const stop = target instanceof HTMLElement ? target.dataset.stop : undefined
  return stop && !stop.includes(">") && !chosen.includes(stop) ? [stop] : chosen
}

const typing = "input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]"

/** Undo and redo, copy and paste, and deletion by keys. Text fields keep their own. */
export function useCanvasKeys(stage: RefObject<HTMLElement | null>, keys: CanvasKeys) {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const isOurs = (event: Event): boolean => {
      const target = event.target instanceof Element ? event.target : document.body
      if (target.closest(typing) || (getSelection()?.toString() ?? "") !== "") return false
      return target === document.body || stage.current?.contains(target) === true
    }
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || !isOurs(event)) return
      const key = event.key.toLowerCase()
      if (key !== "z" && key !== "y") return
      event.preventDefault()
      const { undo, redo } = latest.current.steps
      const run = key === "y" || event.shiftKey ? redo : undo
      run?.()
    }
    const onCopy = (event: ClipboardEvent) => {
      if (!isOurs(event)) return
      const { flow, steps, remove } = latest.current
      const ids = subjects(document.activeElement, steps.chosen)
      const text = copyText(flow, new Set(ids))
      if (!text || !event.clipboardData) return
      event.preventDefault()
      event.clipboardData.setData("text/plain", text)
      if (event.type === "cut") remove(ids)
    }
    const onPaste = (event: ClipboardEvent) => {
      if (!isOurs(event)) return
      const added = stepsFrom(event.clipboardData?.getData("text/plain") ?? "")
      if (!added) return
      event.preventDefault()
      const { steps, place } = latest.current
      const at = place() ?? steps.defaultPlace()
      if (!at || !steps.insert(at, added))
        notifications.show({
          color: "red",
          message: "These steps end the workflow: paste them where nothing comes after.",
        })
    }
    document.addEventListener("keydown", onKey)
    document.addEventListener("copy", onCopy)
    document.addEventListener("cut", onCopy)
    document.addEventListener("paste", onPaste)
    return () => {
      document.removeEventListener("keydown", onKey)
      document.removeEventListener("copy", onCopy)
      document.removeEventListener("cut", onCopy)
      document.removeEventListener("paste", onPaste)
    }
  }, [stage])

  /** Keys with the focus on the canvas; true when one was handled. */
  return (event: KeyboardEvent<HTMLElement>): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false
    if (event.key !== "Delete" && event.key !== "Backspace") return false
    const ids = subjects(event.target, keys.steps.chosen)
    if (ids.length === 0) return false
    event.preventDefault()
    keys.remove(ids)
    return true
  }
}
