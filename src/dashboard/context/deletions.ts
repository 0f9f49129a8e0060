import { createContext, useContext, useMemo, useSyncExternalStore } from "react"

/** A deletion that is sent once it can no longer be undone. */
interface Deletion {
  readonly id: string
  /** The name of the item, for the user. */
  readonly name: string
  /** The request. It never rejects. */
  send(): Promise<unknown>
  /** Called when it was undone. */
  restored?(): void
}

interface PendingDeletion extends Deletion {
  /** The request is running, so it is too late to undo. */
  readonly isSending: boolean
}

export interface Deletions {
  /** Hides the item from all lists at once and deletes it later. */
  add(deletion: Deletion): void
  /** Undoes the latest one that can be undone. */
  undo(): void
  /** The same array until something changes. */
  pending(): readonly PendingDeletion[]
  /** Calls the listener after every change until the returned function is called. */
  subscribe(listener: () => void): () => void
}

/** How long a deletion can be undone, in ms. */
export const undoMs = 10_000

/** How long a page waits for the deletions that were sent when the previous page was left, in ms. */
export const arrivalMs = 5_000

const leftKey = "mailstead.deleting"

/**
 * Deletions that the previous page sent when it was left: this page may have read its lists before the server had
 * deleted the items.
 */
function takeLeft(): readonly string[] {
  try {
    const left: unknown = JSON.parse(sessionStorage.getItem(leftKey) ?? "[]")
    sessionStorage.removeItem(leftKey)
    return Array.isArray(left) ? left.map(String) : []
  } catch {
    // Without storage the lists show what they have read.
    return []
  }
}

/**
 * Deletions are sent after `undoMs`, or when the page is left. In the latter case the next page hides the items too,
 * until it has called `readAgain`, which reads all lists.
 */
export function createDeletions(readAgain: () => Promise<unknown>): Deletions {
  const left = takeLeft()
  let pending: readonly PendingDeletion[] = left.map((id) => ({ id, name: "", isSending: true, send: readAgain }))
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const listeners = new Set<() => void>()
  const set = (next: readonly PendingDeletion[]) => {
    pending = next
    for (const listener of listeners) listener()
  }
  const remove = (ids: readonly string[]) => set(pending.filter(({ id }) => !ids.includes(id)))
  const find = (id: string) => pending.find((one) => one.id === id)
  const stopTimer = (id: string) => {
    clearTimeout(timers.get(id))
    timers.delete(id)
  }
  const send = (id: string) => {
    const deletion = find(id)
    stopTimer(id)
    if (!deletion || deletion.isSending) return
    set(pending.map((one) => (one.id === id ? { ...one, isSending: true } : one)))
    void deletion.send().finally(() => remove([id]))
  }
  if (left.length > 0) setTimeout(() => void readAgain().finally(() => remove(left)), arrivalMs)
  window.addEventListener("pagehide", () => {
    const ids = pending.map(({ id }) => id)
    for (const id of ids) send(id)
    try {
      if (ids.length > 0) sessionStorage.setItem(leftKey, JSON.stringify(ids))
    } catch {
      // Ignored: the next page then shows the lists as it has read them.
    }
  })

  return {
    add(deletion) {
      if (find(deletion.id)) return
      set([...pending, { ...deletion, isSending: false }])
      timers.set(
        deletion.id,
        setTimeout(() => send(deletion.id), undoMs),
      )
    },
    undo() {
      const last = pending.findLast(({ isSending }) => !isSending)
      if (!last) return
      stopTimer(last.id)
      remove([last.id])
      last.restored?.()
    },
    pending: () => pending,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const DeletionsContext = createContext<Deletions | null>(null)

export function useDeletions(): Deletions {
  const deletions = useContext(DeletionsContext)
  if (!deletions) throw new Error("useDeletions outside of its context")
  return deletions
}

export function usePendingDeletions(): readonly PendingDeletion[] {
  const { subscribe, pending } = useDeletions()
  return useSyncExternalStore(subscribe, pending)
}

/** The ids of items that are about to be deleted; lists leave them out. */
export function useHidden(): ReadonlySet<string> {
  const pending = usePendingDeletions()
  return useMemo(() => new Set(pending.map(({ id }) => id)), [pending])
}

/** A page of a list without items that are about to be deleted. */
export function withoutHidden<
  Page extends { readonly data: readonly { readonly id: string }[]; readonly total: number },
>(page: Page, hidden: ReadonlySet<string>): Page {
  const data = page.data.filter(({ id }) => !hidden.has(id))
  return data.length === page.data.length
    ? page
    : { ...page, data, total: page.total - (page.data.length - data.length) }
}
