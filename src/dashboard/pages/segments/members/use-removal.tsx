import { notifications } from "@mantine/notifications"
import { mostAddresses, removeMembers, type Segment } from "../../../api/segments.ts"
import { refetchMembers } from "../../../queries/segments.ts"
import { useChange } from "../../../queries/use-change.ts"
import { confirm } from "../../../ui/confirm.tsx"
import { count } from "../../../ui/format.ts"
import { chunks } from "./addresses.ts"

/** Removes addresses from a list, after asking. The contacts stay. */
export function useRemoval(segment: Segment, onGone: () => void): (emails: readonly string[]) => void {
  const removal = useChange({
    async send(projectId, emails: readonly string[]) {
      let sum = 0
      for (const some of chunks(emails, mostAddresses))
        sum += (await removeMembers(projectId, segment.id, some)).removed
      return sum
    },
    title: "Not removed",
    done(client, projectId, sum) {
      onGone()
      notifications.show({ message: `${count(sum, "contact")} removed from ${segment.name}`, autoClose: 3000 })
      return refetchMembers(client, projectId, segment.id)
    },
    // some may have been removed before
    failed: (_cause, client, projectId) => refetchMembers(client, projectId, segment.id),
  })
  return (emails) => {
    const [only] = emails
    confirm({
      title: "Remove from the list?",
      text: `${emails.length === 1 ? (only ?? "") : count(emails.length, "contact")} will no longer be in ${segment.name}. Contacts themselves stay.`,
      confirm: "Remove",
      onConfirm: () => void removal.run(emails),
    })
  }
}
