import { Text } from "@mantine/core"
import type { ReactNode } from "react"
import { flushSync } from "react-dom"
import { modals } from "./modals.ts"

interface Question {
  title: string
  text: ReactNode
  /** What the button says that does it. */
  confirm: string
  /** What the button says that does not. */
  cancel?: string
  /** Enter does it at once: for what is small, and asked for by a key of its own. */
  swift?: boolean
  onConfirm(): void
}

/** Asks before something that cannot be undone. The button that cancels has the focus, so that a stray Enter loses nothing. */
export function confirm({ title, text, confirm, cancel = "Keep", swift = false, onConfirm }: Question): void {
  // at once: asked after a wait, a dialog may take the focus before it has noted where to give it back
  flushSync(() =>
    modals.openConfirmModal({
      title,
      centered: true,
      size: 400,
      children: (
        <Text component="div" size="sm" c="dimmed" {...(typeof text === "string" ? { lineClamp: 3 } : {})}>
          {text}
        </Text>
      ),
      labels: { confirm, cancel },
      confirmProps: { color: "red", "data-autofocus": swift || undefined },
      cancelProps: { variant: "default", "data-autofocus": !swift || undefined },
      onConfirm,
    }),
  )
}
