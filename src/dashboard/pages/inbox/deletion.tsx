import type { QueryClient } from "@tanstack/react-query"
import type { EmailRecord } from "../../api/emails.ts"
import { deleteAllEmails, deleteEmail } from "../../api/emails.ts"
import { useSession } from "../../context/session.ts"
import { dropAllEmails, dropEmail } from "../../parts/mail-feed/cache.ts"
import { useChange } from "../../queries/use-change.ts"
import { useDeletion as useUndoableDeletion } from "../../queries/use-deletion.ts"
import { confirm } from "../../ui/confirm.tsx"
import { count } from "../../ui/format.ts"

interface Deletion {
  /** Deletes with the option to undo; `onGone` is called before the mail is removed from the list. */
  one(email: EmailRecord, onGone: () => void, restored: () => void): void
  /** Asks first. */
  all(total: number, onGone: () => void): void
}

/** Null where the server has none (outside of the sandbox). */
export function useDeletion(): Deletion | null {
  const { config, project } = useSession()
  const failed = (client: QueryClient, projectId: string) =>
    client.invalidateQueries({ queryKey: ["emails", projectId] })
  const one = useUndoableDeletion({ send: deleteEmail, done: dropEmail, failed })
  const all = useChange({
    send: deleteAllEmails,
    title: "Not deleted",
    failed: (_cause, client, projectId) => failed(client, projectId),
    done: dropAllEmails,
  })
  if (!config.sandbox) return null
  return {
    one: (email, onGone, restored) => {
      onGone()
      one(email.id, email.subject || "(no subject)", restored)
    },
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
