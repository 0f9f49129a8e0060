import { useQueryClient } from "@tanstack/react-query"
import type { EmailRecord } from "../../api/emails.ts"
import { deleteAllEmails, deleteEmail } from "../../api/emails.ts"
import { useSession } from "../../context/session.ts"
import { dropAllEmails, dropEmail } from "../../parts/mail-feed/cache.ts"
import { useChange } from "../../queries/use-change.ts"
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
  const title = "Not deleted"
  const failed = () => client.invalidateQueries({ queryKey: ["emails", project.id] })
  const one = useChange({ send: deleteEmail, title, failed })
  const all = useChange({ send: deleteAllEmails, title, failed, done: dropAllEmails })
  if (!config.sandbox) return null
  return {
    one: (email, onGone) =>
      confirm({
        title: "Delete this message?",
        text: email.subject || "(no subject)",
        confirm: "Delete",
        swift: true,
        onConfirm: () => {
          onGone()
          dropEmail(client, project.id, email.id)
          void one.run(email.id)
        },
      }),
    all: (total, onGone) =>
      confirm({
        title: `Delete ${count(total, "message")}?`,
        text: `This empties the inbox of ${project.name}.`,
        confirm: "Delete all",
        onConfirm: () => {
          onGone()
          void all.run()
        },
      }),
  }
}
