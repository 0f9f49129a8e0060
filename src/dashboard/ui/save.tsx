import { Button, type ButtonProps, Tooltip } from "@mantine/core"
import { type ReactNode, useEffect, useRef } from "react"
import { KeyCaps, withControl } from "./keys.tsx"

/** Ctrl or Cmd with S saves the page, wherever the cursor is. */
export function useSaveKey(save: () => void): void {
  const latest = useRef(save)
  useEffect(() => {
    latest.current = save
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "s") return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [])
}

/** As it is listed among the shortcuts. */
export const saveKey = withControl("S")

interface SaveButtonProps extends Pick<ButtonProps, "loading" | "disabled" | "variant"> {
  onSave(): void
  children: ReactNode
}

/**
 * A save button that shows the key. It keeps the focus when there is nothing left to save: a disabled element would lose
 * it to the document.
 */
export function SaveButton({ onSave, disabled = false, children, ...props }: SaveButtonProps) {
  return (
    <Tooltip openDelay={500} label={<KeyCaps keys={[saveKey]} />}>
      <Button
        {...props}
        size="xs"
        h={32}
        data-disabled={disabled}
        aria-disabled={disabled}
        onClick={() => {
          if (!disabled) onSave()
        }}
      >
        {children}
      </Button>
    </Tooltip>
  )
}
