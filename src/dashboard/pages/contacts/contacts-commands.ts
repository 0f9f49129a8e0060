import {
  IconArrowBackUp,
  IconArrowDown,
  IconArrowUp,
  IconCheckbox,
  IconCopyCheck,
  IconRefresh,
  IconSearch,
  IconTrash,
  IconUser,
} from "@tabler/icons-react"
import type { RefObject } from "react"
import { type Command, useCommands } from "../../shell/commands.tsx"
import type { Contact } from "../../wire.ts"
import type { PanelActions } from "./contact-panel.tsx"
import { focusContact } from "./contact-row.tsx"
import { everyone, nobody } from "./selection.ts"
import type { useSelection } from "./use-selection.ts"

interface ContactsInView {
  contacts: readonly Contact[]
  openId: string | undefined
  cursor: string | undefined
  setCursor(id: string): void
  open(id: string | undefined, replace?: boolean): void
  narrow: boolean
  searchRef: RefObject<HTMLInputElement | null>
  /** Null when nothing is searched. */
  clear: (() => void) | null
  selection: ReturnType<typeof useSelection>
  remove(contact: Contact): void
  refresh(): void
}

/** Offers what can be done with the contacts in view, and returns what the bar of the open one needs of it. */
export function useContactCommands(view: ContactsInView): PanelActions {
  const { contacts, openId, cursor, open, selection } = view
  const place = contacts.findIndex(({ id }) => id === (openId ?? cursor))
  const target = contacts[place]
  const isTicking = selection.selection !== nobody

  const moveTo = (contact: Contact | undefined) => {
    if (!contact) return
    view.setCursor(contact.id)
    if (openId) open(contact.id, true)
    if (!openId || !view.narrow) focusContact(contact.id)
  }
  const back = () => {
    if (openId) {
      open(undefined)
      view.setCursor(openId)
      requestAnimationFrame(() => focusContact(openId))
    } else if (isTicking) selection.select(nobody)
    else view.clear?.()
  }
  const next = contacts[place + 1]
  const previous = contacts[place - 1]
  const panel = {
    back,
    next: next && (() => moveTo(next)),
    previous: previous && (() => moveTo(previous)),
    remove: view.remove,
  }

  const list = { group: "List" } as const
  const one = { group: "Contact" } as const
  const commands: Command[] = [
    {
      ...list,
      id: "next",
      label: "Next",
      icon: IconArrowDown,
      keys: ["j", "ArrowDown"],
      keyOnly: true,
      run: () => panel.next?.(),
    },
    {
      ...list,
      id: "previous",
      label: "Previous",
      icon: IconArrowUp,
      keys: ["k", "ArrowUp"],
      keyOnly: true,
      run: () => panel.previous?.(),
    },
    {
      ...list,
      id: "open",
      label: "Open",
      icon: IconUser,
      keys: ["o", "Enter"],
      keyOnly: true,
      run: () => target && open(target.id),
    },
    {
      ...list,
      id: "search",
      label: "Search",
      icon: IconSearch,
      keys: ["/"],
      run: () => view.searchRef.current?.focus(),
    },
    { ...list, id: "refresh", label: "Refresh", icon: IconRefresh, keys: ["r"], run: view.refresh },
    {
      ...list,
      id: "select-all",
      label: "Select everyone who matches",
      icon: IconCopyCheck,
      keys: ["A"],
      run: () => selection.select(everyone),
    },
    {
      ...one,
      id: "select",
      label: "Select or unselect",
      icon: IconCheckbox,
      keys: ["x"],
      disabled: !target,
      run: () => target && selection.toggle(target.id),
    },
    {
      ...one,
      id: "delete",
      label: "Delete",
      icon: IconTrash,
      keys: ["#", "Delete"],
      disabled: !target,
      run: () => target && view.remove(target),
    },
    { ...one, id: "back", label: "Back", icon: IconArrowBackUp, keys: ["u", "Escape"], keyOnly: true, run: back },
  ]
  useCommands(commands)
  return panel
}
