import { notifications } from "@mantine/notifications"
import type { QueryClient } from "@tanstack/react-query"
import { reasonOf } from "../api/refusal.ts"
import { useDeletions } from "../context/deletions.ts"
import { useSession } from "../context/session.ts"
import { useChange } from "./use-change.ts"

interface DeletionOptions {
  send(projectId: string, id: string): Promise<unknown>
  /** Removes it from the caches. */
  done(client: QueryClient, projectId: string, id: string): unknown
  /** Called instead when it was refused. */
  failed?(client: QueryClient, projectId: string): unknown
  /** The text of the notification of a refusal. */
  format?(cause: unknown): string
}

/** Deletes one item with the option to undo for a while. */
export function useDeletion({ send, done, failed, format = reasonOf }: DeletionOptions) {
  const deletions = useDeletions()
  const { project } = useSession()
  const change = useChange({
    send,
    title: "Not deleted",
    format,
    done: (client, projectId, _output, id: string) => done(client, projectId, id),
    failed: (_cause, client, projectId) => failed?.(client, projectId),
  })
  return (id: string, name: string, restored?: () => void) => {
    if (project.disabled)
      notifications.show({ color: "red", title: "Not deleted", message: "This project is disabled." })
    else deletions.add({ id, name, send: () => change.run(id), ...(restored ? { restored } : {}) })
  }
}
