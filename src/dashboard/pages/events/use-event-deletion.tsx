import { Stack } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { deleteEvents, type EventUsage, getEventUsage } from "../../api/events.ts"
import { reasonOf } from "../../api/refusal.ts"
import { useSession } from "../../context/session.ts"
import { refetchEvents } from "../../queries/events.ts"
import { useChange } from "../../queries/use-change.ts"
import { confirm } from "../../ui/confirm.tsx"
import { count } from "../../ui/format.ts"

/** Deletes all events of a name, after showing the consequences and what refers to the name. */
export function useEventDeletion(onDeleted: () => void = () => {}): (name: string) => Promise<void> {
  const projectId = useSession().project.id
  const idOf = (name: string) => `delete-events-${name}`
  const deletion = useChange({
    send: deleteEvents,
    done(client, projectId, { deletedCount }, name: string) {
      const message = `${count(deletedCount, "event")} named ${name} deleted`
      notifications.update({ id: idOf(name), loading: false, autoClose: 5000, message })
      onDeleted()
      void refetchEvents(client, projectId)
    },
    failed(cause, client, projectId, name) {
      const failure = { color: "red", title: "Not deleted", message: reasonOf(cause) }
      notifications.update({ id: idOf(name), loading: false, autoClose: 8000, ...failure })
      void refetchEvents(client, projectId)
    },
  })
  const remove = (name: string) => {
    notifications.show({ id: idOf(name), loading: true, autoClose: false, message: `Deleting ${name}` })
    void deletion.run(name)
  }

  return async (name) => {
    const usage = await getEventUsage(projectId, name).catch(() => null)
    if (usage && !usage.canDelete) {
      const message = `${name} stays: ${formatUsage(usage) ?? "the service itself"} needs it.`
      notifications.show({ color: "red", title: "Not deleted", message, autoClose: 8000 })
      return
    }
    const users = usage && formatUsage(usage)
    confirm({
      title: `Delete all events named ${name}?`,
      text: (
        <Stack gap={8}>
          <span>
            {usage ? `${count(usage.totalCount, "event")} of ${count(usage.uniqueContacts, "contact")}` : "All of them"}{" "}
            will go. This cannot be undone.
          </span>
          {users && <span>The name is used by {users}. Whatever uses it stays, and finds no such event.</span>}
        </Stack>
      ),
      confirm: "Delete events",
      onConfirm: () => remove(name),
    })
  }
}

/** The names of everything that refers to an event name, or null. */
function formatUsage({ usedInSegments, usedInWorkflows }: EventUsage): string | null {
  const users = [
    ...usedInSegments.map(({ name }) => `segment “${name}”`),
    ...usedInWorkflows.map(({ name }) => `workflow “${name}”`),
  ]
  return users.length > 0 ? users.join(", ") : null
}
