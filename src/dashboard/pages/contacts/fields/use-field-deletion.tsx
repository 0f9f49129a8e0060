import { Stack } from "@mantine/core"
import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { deleteField, type Field, getFieldUsage } from "../../../api/contacts.ts"
import { reasonOf } from "../../../api/refusal.ts"
import { useSession } from "../../../context/session.ts"
import { readContactsAgain } from "../../../queries/contacts.ts"
import { confirm } from "../../../ui/confirm.tsx"
import { count } from "../../../ui/format.ts"
import { focusFromHere } from "../../../ui/keep-focus.ts"
import { formatUsage } from "./field-details.tsx"
import { nameOf } from "./field-name.ts"

/** Deletes a field of all contacts, after saying what goes with it. `heir` is what is to have the focus then. */
export function useFieldDeletion(field: Field, heir: () => HTMLElement | null): () => void {
  const { project } = useSession()
  const client = useQueryClient()
  const name = nameOf(field)

  const remove = async () => {
    const id = `delete-field-${field.field}`
    const goOn = focusFromHere()
    notifications.show({ id, loading: true, autoClose: false, message: `Deleting ${name}` })
    try {
      const { deletedFrom } = await deleteField(project.id, field.field)
      notifications.update({
        id,
        loading: false,
        autoClose: 5000,
        message: `${name} deleted from ${count(deletedFrom, "contact")}`,
      })
    } catch (cause) {
      notifications.update({
        id,
        loading: false,
        autoClose: 8000,
        color: "red",
        title: "Not deleted",
        message: reasonOf(cause),
      })
    }
    await readContactsAgain(client, project.id)
    goOn(heir)
  }

  return async () => {
    const usage = await getFieldUsage(project.id, field.field).catch(() => null)
    const users = usage && formatUsage(usage)
    confirm({
      title: `Delete the field ${name}?`,
      text: (
        <Stack gap={8}>
          <span>
            {usage ? count(usage.contactCount, "contact") : "Every contact that has it"} will lose{" "}
            {usage?.contactCount === 1 ? "its value" : "the value"}. This cannot be undone.
          </span>
          {users && <span>It is used by {users}. They stay, and match nothing where they ask for it.</span>}
        </Stack>
      ),
      confirm: "Delete field",
      onConfirm: () => void remove(),
    })
  }
}
