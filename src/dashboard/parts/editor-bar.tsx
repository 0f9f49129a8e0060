import { ActionIcon, Menu, TextInput, VisuallyHidden } from "@mantine/core"
import { IconArrowLeft, IconDots } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { useReturn } from "../context/return-focus.tsx"
import { Tool } from "../ui/tool.tsx"
import styles from "./editor-bar.module.css"

interface EditorBarProps {
  /** The heading of the page, only for screen readers: `Edit template`. */
  title: string
  /** The list of the item: `All templates`. */
  list: { readonly name: string; readonly path: string }
  name: NameProps
  /** Its type and save state; below the name on a narrow screen. */
  about: ReactNode
  /** Actions, at the end of the line. */
  children: ReactNode
}

interface NameProps {
  value: string
  error: string | undefined
  onChange(name: string): void
  placeholder?: string
  /** Whether it is focused initially. */
  focused?: boolean
}

/** The first line of an editor: back to the list, the name, whether it is saved, and actions. */
export function EditorBar({ title, list, name, about, children }: EditorBarProps) {
  const goBack = useReturn()
  return (
    <header className={styles.bar}>
      <VisuallyHidden component="h1">{title}</VisuallyHidden>
      <Tool label={list.name} icon={IconArrowLeft} run={() => goBack(list.path)} />
      <TextInput
        className={styles.name ?? ""}
        variant="unstyled"
        attributes={{ input: { dir: "auto" } }}
        aria-label="Name"
        placeholder={name.placeholder}
        autoFocus={name.focused}
        value={name.value}
        error={name.error}
        onChange={(event) => name.onChange(event.currentTarget.value)}
      />
      <div className={styles.about}>{about}</div>
      {children}
    </header>
  )
}

interface SaveStateProps {
  /** Why it was not saved. */
  problem: string | undefined
  /** Whether the item was deleted elsewhere. */
  gone?: boolean
  /** Shown otherwise: whether it is saved. */
  status: string
  /** Hidden where there is too little space. */
  quiet?: boolean
}

/** The save state of a draft, in a few words. */
export function SaveState({ problem, gone = false, status, quiet = false }: SaveStateProps) {
  const shown = problem ?? (gone ? "Deleted elsewhere" : undefined)
  return (
    <span
      className={styles.state}
      role="status"
      data-problem={shown ? true : undefined}
      data-quiet={(quiet && !shown) || undefined}
    >
      <span>{shown ?? status}</span>
    </span>
  )
}

interface BarMenuProps {
  label: string
  width: number
  /** `MenuEntry`s. */
  children: ReactNode
}

/** A menu of less frequent actions. */
export function BarMenu({ label, width, children }: BarMenuProps) {
  return (
    <Menu position="bottom-end" width={width}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label}>
          <IconDots size={18} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
