import { ActionIcon, Tooltip } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { IconCheck, IconCopy } from "@tabler/icons-react"
import { useEffect, useState } from "react"

/** Copies text to the clipboard; resolves to whether that worked. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // no clipboard API outside of a secure context, for example on http://192.168.0.2
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea")
  area.value = text
  area.style.position = "fixed"
  area.style.opacity = "0"
  document.body.append(area)
  area.select()
  const copied = document.execCommand("copy")
  area.remove()
  return copied
}

/** Copies, and shows a notification: for commands without a button. */
export async function copyWithNotice(text: string, what: string): Promise<void> {
  const copied = await copyText(text)
  notifications.show({ message: copied ? `${what} copied` : `${what} could not be copied`, autoClose: 2500 })
}

/** A button that copies and shows for a moment that it did. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <Tooltip label={copied ? "Copied" : label}>
      <ActionIcon
        variant="subtle"
        color={copied ? "teal" : "gray"}
        size="sm"
        aria-label={label}
        onClick={async () => setCopied(await copyText(text))}
      >
        {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
      </ActionIcon>
    </Tooltip>
  )
}
