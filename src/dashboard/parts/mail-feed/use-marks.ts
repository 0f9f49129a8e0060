import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { useMemo } from "react"
import { markAllRead, markMail } from "../../api/inbox.ts"
import { reasonOf } from "../../api/refusal.ts"
import { editRows, findListed, listKey, unreadKey } from "./cache.ts"

interface Marks {
  /** These are stable between renders. */
  readonly read: (id: string) => void
  readonly unread: (id: string) => void
  /** Up to the newest known mail. */
  readonly allRead: (newest: string) => void
}

/** Marks mail as read and unread: shown at once, stored by the server, and sent to all who view the project. */
export function useMarks(projectId: string): Marks {
  const client = useQueryClient()
  return useMemo(() => {
    const count = (edit: (before: number) => number) =>
      client.setQueryData<number>(unreadKey(projectId), (before) =>
        before === undefined ? undefined : Math.max(0, edit(before)),
      )
    // one after the other, so that the last one counts; an answer does not take back what later ones already show
    let last: Promise<unknown> = Promise.resolve()
    let waiting = 0
    const settle = (send: () => Promise<number>, title?: string) => {
      waiting += 1
      last = last.then(send).then(
        (unread) => {
          waiting -= 1
          if (waiting === 0) client.setQueryData(unreadKey(projectId), unread)
        },
        (cause) => {
          waiting -= 1
          if (title !== undefined) notifications.show({ color: "red", title, message: reasonOf(cause) })
          void client.invalidateQueries({ queryKey: unreadKey(projectId) })
          void client.invalidateQueries({ queryKey: listKey(projectId) })
        },
      )
    }
    const mark = (id: string, read: boolean) => {
      const row = findListed(client, projectId, id)
      if (row?.unread === !read) return
      editRows(client, projectId, (one) => (one.id === id ? { ...one, unread: !read } : one))
      if (row) count((before) => before + (read ? -1 : 1))
      // a mail is marked as read because it was opened, which nobody has asked for
      settle(() => markMail(projectId, id, read), read ? undefined : "Not marked")
    }
    return {
      read: (id: string) => mark(id, true),
      unread: (id: string) => mark(id, false),
      allRead: (newest: string) => {
        editRows(client, projectId, (one) => ({ ...one, unread: false }))
        count(() => 0)
        settle(() => markAllRead(projectId, newest), "Not marked")
      },
    }
  }, [client, projectId])
}
