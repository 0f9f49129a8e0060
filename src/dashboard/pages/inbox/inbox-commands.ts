import {
  IconArrowBackUp,
  IconArrowDown,
  IconArrowUp,
  IconChecks,
  IconDownload,
  IconMail,
  IconMailOpened,
  IconRefresh,
  IconSearch,
  IconTrash,
  IconTrashX,
} from "@tabler/icons-react"
import type { RefObject } from "react"
import { type Command, useCommands } from "../../shell/commands.tsx"
import { useSession } from "../../shell/session.tsx"
import type { EmailRecord } from "../../wire.ts"
import type { ListActions } from "./list-pane.tsx"
import { focusRow } from "./mail-row.tsx"
import type { MessageActions } from "./message-bar.tsx"
import { saveSource } from "./source-view.tsx"

interface Inbox {
  emails: readonly EmailRecord[]
  openId: string | undefined
  opened: EmailRecord | undefined
  cursor: string | undefined
  setCursor(id: string): void
  open(id: string | undefined, replace?: boolean): void
  narrow: boolean
  searchRef: RefObject<HTMLInputElement | null>
  clearSearch: (() => void) | null
  markUnread(id: string): void
  /** Null where mail cannot be deleted. */
  deleteOne: ((id: string) => void) | null
  actions: ListActions
}

/** Offers what can be done in the inbox, and returns what the bar of the open mail needs of it. */
export function useInboxCommands(inbox: Inbox): MessageActions {
  const { emails, openId, opened, cursor, open, deleteOne, actions } = inbox
  const { sandbox } = useSession().config
  const place = emails.findIndex(({ id }) => id === (openId ?? cursor))
  const target = openId ?? (place >= 0 ? cursor : undefined)

  const moveTo = (email: EmailRecord | undefined) => {
    if (!email) return
    inbox.setCursor(email.id)
    if (openId) open(email.id, true)
    if (!openId || !inbox.narrow) focusRow(email.id)
  }
  const back = () => {
    if (!openId) return inbox.clearSearch?.()
    open(undefined)
    inbox.setCursor(openId)
    requestAnimationFrame(() => focusRow(openId))
  }
  const next = emails[place + 1]
  const previous = emails[place - 1]
  const message = {
    back,
    next: next && (() => moveTo(next)),
    previous: previous && (() => moveTo(previous)),
    unread: openId ? () => inbox.markUnread(openId) : undefined,
    save: opened && sandbox ? () => void saveSource(opened) : undefined,
    remove: deleteOne && target ? () => deleteOne(target) : undefined,
  }

  const list = { group: "List" } as const
  const one = { group: "Message" } as const
  const commands: (Command | false)[] = [
    {
      ...list,
      id: "next",
      label: "Next",
      icon: IconArrowDown,
      keys: ["j", "ArrowDown"],
      keyOnly: true,
      run: () => message.next?.(),
    },
    {
      ...list,
      id: "previous",
      label: "Previous",
      icon: IconArrowUp,
      keys: ["k", "ArrowUp"],
      keyOnly: true,
      run: () => message.previous?.(),
    },
    {
      ...list,
      id: "open",
      label: "Open",
      icon: IconMailOpened,
      keys: ["o", "Enter"],
      keyOnly: true,
      run: () => target && open(target),
    },
    {
      ...list,
      id: "search",
      label: "Search",
      icon: IconSearch,
      keys: ["/"],
      run: () => inbox.searchRef.current?.focus(),
    },
    { ...list, id: "refresh", label: "Refresh", icon: IconRefresh, keys: ["r"], run: actions.refresh },
    { ...list, id: "all-read", label: "Mark all as read", icon: IconChecks, keys: ["A"], run: actions.allRead },
    actions.deleteAll !== undefined && {
      ...list,
      id: "delete-all",
      label: "Delete all messages",
      icon: IconTrashX,
      run: actions.deleteAll,
    },
    {
      ...one,
      id: "back",
      label: "Back to the list",
      icon: IconArrowBackUp,
      keys: ["u", "Escape"],
      keyOnly: true,
      run: back,
    },
    {
      ...one,
      id: "unread",
      label: "Mark as unread",
      icon: IconMail,
      keys: ["U"],
      disabled: !openId,
      run: () => message.unread?.(),
    },
    {
      ...one,
      id: "save",
      label: "Download .eml",
      icon: IconDownload,
      keys: ["d"],
      disabled: !message.save,
      run: () => message.save?.(),
    },
    deleteOne !== null && {
      ...one,
      id: "delete",
      label: "Delete",
      icon: IconTrash,
      keys: ["#", "Delete"],
      disabled: !target,
      run: () => message.remove?.(),
    },
  ]
  useCommands(commands.filter((command) => command !== false))
  return message
}
