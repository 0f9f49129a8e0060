import { IconCheckbox, IconCopyCheck, IconTrash, IconUser } from "@tabler/icons-react"
import type { Contact } from "../../api/contacts.ts"
import { useCommands } from "../../context/commands.tsx"
import { type OpenList, walkCommands, walkThrough } from "../../list/walk.ts"
import type { PanelActions } from "./contact-panel.tsx"
import { focusContact } from "./contact-row.tsx"
import { everyone, nobody } from "./selection.ts"
import type { useSelection } from "./use-selection.ts"

interface ContactsInView extends OpenList<Contact> {
  /** Whether the rows are those of the previous view, so that commands must not apply to them. */
  waiting: boolean
  selection: ReturnType<typeof useSelection>
  remove(contact: Contact): void
  refresh(): void
}

/** Registers the commands for the contacts in view, and returns those for the bar of the open one. */
export function useContactCommands(list: ContactsInView): PanelActions {
  const { waiting, selection, remove, refresh } = list
  const walk = walkThrough(list, focusContact)
  const { target, next, previous } = walk
  const back = () => {
    if (walk.close()) return
    if (selection.selection !== nobody) selection.select(nobody)
    else list.clear?.()
  }
  const one = { group: "Contact", disabled: waiting || !target } as const
  useCommands([
    ...walkCommands(list, walk, { openIcon: IconUser, refresh, back }),
    {
      id: "select-all",
      label: "Select everyone who matches",
      group: "List",
      icon: IconCopyCheck,
      keys: ["A"],
      disabled: waiting,
      run: () => selection.select(everyone),
    },
    {
      ...one,
      id: "select",
      label: "Select or unselect",
      icon: IconCheckbox,
      keys: ["x"],
      run: () => target && selection.toggle(target.id),
    },
    {
      ...one,
      id: "delete",
      label: "Delete",
      icon: IconTrash,
      keys: ["#", "Delete"],
      run: () => target && remove(target),
    },
  ])
  return { back, next, previous, remove }
}
