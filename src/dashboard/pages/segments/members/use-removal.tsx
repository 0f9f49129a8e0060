import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { reasonOf } from "../../../api/refusal.ts"
import { mostAddresses, removeMembers, type Segment } from "../../../api/segments.ts"
import { useSession } from "../../../context/session.ts"
import { readMembersAgain } from "../../../queries/segments.ts"
import { confirm } from "../../../ui/confirm.tsx"
import { count } from "../../../ui/format.ts"
import { portions } from "./addresses.ts"

/** Takes addresses off a list, after asking. The contacts themselves stay. */
export function useRemoval(segment: Segment, onGone: () => void): (emails: readonly string[]) => void {
  const { project } = useSession()
  const client = useQueryClient()

  const remove = async (emails: readonly string[]) => {
    try {
      let sum = 0
      for (const some of portions(emails, mostAddresses))
        sum += (await removeMembers(project.id, segment.id, some)).removed
      onGone()
      notifications.show({ message: `${count(sum, "contact")} removed from ${segment.name}`, autoClose: 3000 })
    } catch (cause) {
      notifications.show({ color: "red", title: "Not removed", message: reasonOf(cause) })
    }
    await readMembersAgain(client, project.id, segment.id)
  }
  return (emails) => {
    const [only] = emails
    confirm({
      title: "Remove from the list?",
      text: `${emails.length === 1 ? (only ?? "") : count(emails.length, "contact")} will no longer be in ${segment.name}. Contacts themselves stay.`,
      confirm: "Remove",
      onConfirm: () => void remove(emails),
    })
  }
}
