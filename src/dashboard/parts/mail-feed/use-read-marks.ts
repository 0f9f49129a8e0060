import { useMemo, useSyncExternalStore } from "react"
import {
  isUnread,
  markAllRead,
  markRead,
  markUnread,
  mayBeUnreadBefore,
  parseMarks,
  type ReadMarks,
} from "./read-marks.ts"

export interface MarkKeeper {
  isUnread(id: string): boolean
  mayBeUnreadBefore(id: string): boolean
  /** These three stay the same from render to render. */
  readonly read: (id: string) => void
  readonly unread: (id: string) => void
  readonly allRead: (newest: string) => void
}

const changed = "mailstead-marks"

/** The marks of one project, kept in this browser and shared by its tabs; gone with the page where storage is refused. */
export function useReadMarks(projectId: string): MarkKeeper {
  const key = `mailstead.read.${projectId}`
  const text = useSyncExternalStore(listen, () => stored(key))
  const marks = useMemo(() => parseMarks(text), [text])
  const marking = useMemo(() => {
    // always from what is stored now: another tab may have marked in between
    const change = (edit: (marks: ReadMarks) => ReadMarks) => store(key, JSON.stringify(edit(parseMarks(stored(key)))))
    return {
      read: (id: string) => change((now) => markRead(now, id)),
      unread: (id: string) => change((now) => markUnread(now, id)),
      allRead: (newest: string) => change((now) => markAllRead(now, newest)),
    }
  }, [key])
  return {
    ...marking,
    isUnread: (id) => isUnread(marks, id),
    mayBeUnreadBefore: (id) => mayBeUnreadBefore(marks, id),
  }
}

/** `storage` tells of other tabs only, so this one speaks up for itself. */
function listen(heard: () => void): () => void {
  window.addEventListener("storage", heard)
  window.addEventListener(changed, heard)
  return () => {
    window.removeEventListener("storage", heard)
    window.removeEventListener(changed, heard)
  }
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function store(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
    window.dispatchEvent(new Event(changed))
  } catch {
    // full or refused: marks are a convenience
  }
}
