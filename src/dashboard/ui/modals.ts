import { randomId } from "@mantine/hooks"
import { modals as mounted } from "@mantine/modals"
import { flushSync } from "react-dom"
import { notLoaded } from "./not-loaded.ts"

type Payload = Parameters<typeof mounted.open>[0]
type Question = Parameters<typeof mounted.openConfirmModal>[0]

/** The dialogs to open once their code is loaded. */
let waiting: readonly (() => void)[] = []
let areThere = false
const listeners = new Set<() => void>()

function whenThere(open: () => void): void {
  if (areThere) open()
  else {
    waiting = [...waiting, open]
    for (const tell of listeners) tell()
    notLoaded.tryAgain()
  }
}

function open(payload: Payload): string {
  const modalId = payload.modalId ?? randomId()
  whenThere(() => mounted.open({ centered: true, ...payload, modalId }))
  return modalId
}

/** Opens dialogs. Their code is loaded with the first one; ids are returned at once. */
export const modals = {
  open,
  /** A dialog to be filled in: a click beside it does not lose what was typed. */
  openForm: (payload: Payload): string => open({ closeOnClickOutside: false, ...payload }),
  openConfirmModal(question: Question): void {
    whenThere(() => mounted.openConfirmModal(question))
  },
  close: mounted.close,
  closeAll: mounted.closeAll,
}

/** For `ModalsHost`: whether a dialog waits, and that they can be shown from now on, or no longer. */
export const waitingModals = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  hasAny: (): boolean => waiting.length > 0,
  /** For when they cannot be shown. */
  forget(): void {
    waiting = []
    for (const tell of listeners) tell()
  },
  /** Not within an effect: a dialog that opens later may take the focus before it has noted where to give it back. */
  setThere(now: boolean): void {
    areThere = now
    if (!now) return
    const open = waiting
    waiting = []
    queueMicrotask(() =>
      flushSync(() => {
        for (const one of open) one()
      }),
    )
  },
}
