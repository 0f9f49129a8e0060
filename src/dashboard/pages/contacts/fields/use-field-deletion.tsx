import { Stack } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { deleteField, type Field, getFieldUsage } from "../../../api/contacts.ts"
import { reasonOf } from "../../../api/refusal.ts"
import { useSession } from "../../../context/session.ts"
import { refetchContacts } from "../../../queries/contacts.ts"
import { useChange } from "../../../queries/use-change.ts"
import { confirm } from "../../../ui/confirm.tsx"
import { count } from "../../../ui/format.ts"
import { focusFromHere } from "../../../ui/keep-focus.ts"
import { formatUsage } from "./field-details.tsx"
import { nameOf } from "./field-name.ts"

/** Deletes a field of all contacts, after showing the consequences. `next` is the element to focus then. */
export function useFieldDeletion(field: Field, next: () => HTMLElement | null): () => void {
  const projectId = useSession().project.id
  const name = nameOf(field)

  const id = `delete-field-${field.field}`
  const deletion = useChange({
    send: (projectId) => deleteField(projectId, field.field),
    done(client, projectId, { deletedFrom }) {
      const message = `${name} deleted from ${count(deletedFrom, "contact")}`
      notifications.update({ id, loading: false, autoClose: 5000, message })
      return refetchContacts(client, projectId)
    },
    failed(cause, client, projectId) {
      const failure = { color: "red", title: "Not deleted", message: reasonOf(cause) }
      notifications.update({ id, loading: false, autoClose: 8000, ...failure })
      return refetchContacts(client, projectId)
    },
  })
  const remove = async () => {
    const moveFocus = focusFromHere()
    notifications.show({ id, loading: true, autoClose: false, message: `Deleting ${name}` })
    await deletion.run()
    moveFocus(next)
  }

  return async () => {
    const usage = await getFieldUsage(projectId, field.field).catch(() => null)
    const users = usage && formatUsage(usage)
    confirm({
      title: `Delete the field ${name}?`,
      text: (
        <Stack gap={8}>
          <span>
            {usage ? count(usage.contactCount, "contact") : "Every contact that has it"} will lose{" "}
            {usage?.contactCount === 1 ? "its value" : "the value"}. This cannot be undone.
          </span>
          {users && (
            <span>It is used by {users}. Whatever uses it stays, and matches nothing where it asks for it.</span>
          )}
        </Stack>
      ),
      confirm: "Delete field",
      onConfirm: () => void remove(),
    })
  }
}
