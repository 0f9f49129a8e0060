import { IconChecks, IconDownload, IconMail, IconMailOpened, IconTrash, IconTrashX } from "@tabler/icons-react"
import type { InboxRow } from "../../api/inbox.ts"
import { type Command, useCommands } from "../../context/commands.tsx"
import { useSession } from "../../context/session.ts"
import { type OpenList, walkCommands, walkThrough } from "../../list/walk.ts"
import type { ListActions } from "./list-pane.tsx"
import { focusRow } from "./mail-row.tsx"
import type { MessageActions } from "./message-bar.tsx"
import { saveSource } from "./source-view.tsx"

interface Inbox extends OpenList<InboxRow> {
  opened: InboxRow | undefined
  markUnread(id: string): void
  /** Null where mail cannot be deleted. */
  deleteOne: ((id: string) => void) | null
  actions: ListActions
}

/** Registers the commands of the inbox, and returns those for the bar of the open mail. */
export function useInboxCommands(inbox: Inbox): MessageActions {
  const { openId, opened, deleteOne, actions } = inbox
  const { sandbox } = useSession().config
  const walk = walkThrough(inbox, focusRow)
  // A linked mail may be older than the loaded part of the list.
  const target = openId ?? walk.target?.id
  const message = {
    back: () => {
      if (!walk.close()) inbox.clear?.()
    },
    next: walk.next,
    previous: walk.previous,
    unread: openId ? () => inbox.markUnread(openId) : undefined,
    save: opened && sandbox ? () => void saveSource(opened) : undefined,
    remove: deleteOne && target ? () => deleteOne(target) : undefined,
  }

  const list = { group: "List" } as const
  const one = { group: "Message" } as const
  const commands: (Command | false)[] = [
    ...walkCommands(inbox, walk, { openIcon: IconMailOpened, refresh: actions.refresh, back: message.back }),
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
