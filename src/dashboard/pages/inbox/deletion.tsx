import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import type { EmailRecord } from "../../api/emails.ts"
import { deleteAllEmails, deleteEmail } from "../../api/emails.ts"
import { reasonOf } from "../../api/refusal.ts"
import { useSession } from "../../context/session.ts"
import { forgetAllEmails, forgetEmail } from "../../parts/mail-feed/cache.ts"
import { confirm } from "../../ui/confirm.tsx"
import { count } from "../../ui/format.ts"

export interface Deletion {
  /** Asks, deletes, and calls `onGone` as soon as the mail has left the list. */
  one(email: EmailRecord, onGone: () => void): void
  all(total: number, onGone: () => void): void
}

/** Deletion cannot be undone, so it asks first. Null where the server has none (outside of the sandbox). */
export function useDeletion(): Deletion | null {
  const { config, project } = useSession()
  const client = useQueryClient()
  if (!config.sandbox) return null

  const attempt = async (work: Promise<void>) => {
    try {
      await work
    } catch (cause) {
      notifications.show({ color: "red", title: "Not deleted", message: reasonOf(cause) })
      await client.invalidateQueries({ queryKey: ["emails", project.id] })
    }
  }
  return {
    one: (email, onGone) =>
      confirm({
        title: "Delete this message?",
        text: email.subject || "(no subject)",
        confirm: "Delete",
        swift: true,
        onConfirm: () => {
          onGone()
          forgetEmail(client, project.id, email.id)
          void attempt(deleteEmail(project.id, email.id))
        },
      }),
    all: (total, onGone) =>
      confirm({
        title: `Delete ${count(total, "message")}?`,
        text: `This empties the inbox of ${project.name}.`,
        confirm: "Delete all",
        onConfirm: () => {
          onGone()
          void attempt(deleteAllEmails(project.id).then(() => forgetAllEmails(client, project.id)))
        },
      }),
  }
}
