import { Text } from "@mantine/core"
import { modals } from "@mantine/modals"
import type { ReactNode } from "react"

interface Question {
  title: string
  text: ReactNode
  /** What the button says that does it. */
  confirm: string
  /** What the button says that does not. */
  cancel?: string
  onConfirm(): void
}

/** Asks before something that cannot be undone. */
export function confirm({ title, text, confirm, cancel = "Keep", onConfirm }: Question): void {
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
    confirmProps: { color: "red", "data-autofocus": true },
    cancelProps: { variant: "default" },
    onConfirm,
  })
}
