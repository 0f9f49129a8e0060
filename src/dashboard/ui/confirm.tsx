import { Text } from "@mantine/core"
import type { ReactNode } from "react"
import { flushSync } from "react-dom"
import { modals } from "./modals.ts"

interface Question {
  title: string
  text: ReactNode
  /** The label of the confirming button. */
  confirm: string
  /** The label of the cancelling button. */
  cancel?: string
  /** The confirming button has the focus: for small actions that have their own key. */
  swift?: boolean
  onConfirm(): void
}

/** Asks before something that cannot be undone. The button that cancels has the focus, so that a stray Enter loses nothing. */
export function confirm({ title, text, confirm, cancel = "Keep", swift = false, onConfirm }: Question): void {
  // on a slow device the second click of a double click comes before the dialog is gone
  let isAnswered = false
  const answer = () => {
    if (isAnswered) return
    isAnswered = true
    onConfirm()
  }
  // opened synchronously: after a wait, the dialog could take the focus before it has stored where to return it
  flushSync(() =>
    modals.openConfirmModal({
      // the same question, asked twice by a double click before what it takes was loaded, is answered once
      modalId: title,
      title,
      centered: true,
      size: 400,
      children: (
        <Text component="div" size="sm" c="dimmed">
          {text}
        </Text>
      ),
      labels: { confirm, cancel },
      confirmProps: { color: "red", "data-autofocus": swift || undefined },
      cancelProps: { variant: "default", "data-autofocus": !swift || undefined },
      onConfirm: answer,
    }),
  )
}
