import { notifications } from "@mantine/notifications"
import { useLocation } from "wouter"
import { type Campaign, cancelCampaign, deleteCampaign, duplicateCampaign } from "../../api/campaigns.ts"
import { asNew, copyNotice } from "../../context/just-created.ts"
import { type Departure, useBeforeLeaving } from "../../context/leave-guard.ts"
import { cacheCampaign, dropCampaign } from "../../queries/campaigns.ts"
import { useChange } from "../../queries/use-change.ts"
import { confirm } from "../../ui/confirm.tsx"
import { count } from "../../ui/format.ts"
import { formatRefusal } from "./faults.ts"

/** The actions on a whole campaign. `onGone` is called once it is deleted, before it is removed from the lists. */
export function useCampaignActions(campaign: Campaign, onGone: () => void = () => {}) {
  const [, go] = useLocation()
  const beforeLeaving = useBeforeLeaving()
  const { id, name, status, totalRecipients, sentCount } = campaign

  const cancellation = useChange({
    send: (projectId) => cancelCampaign(projectId, id),
    title: "Not cancelled",
    format: formatRefusal,
    done: cacheCampaign,
  })
  const copying = useChange({
    send: (projectId, _leave: Departure) => duplicateCampaign(projectId, id),
    title: "Not duplicated",
    format: formatRefusal,
    done(client, projectId, copy, leave) {
      cacheCampaign(client, projectId, copy)
      const isOpen = leave(() => go(`/campaigns/${copy.id}`, asNew))
      notifications.show({ message: copyNotice(copy, isOpen), autoClose: 3000 })
    },
  })
  const deletion = useChange({
    send: (projectId) => deleteCampaign(projectId, id),
    title: "Not deleted",
    format: formatRefusal,
    done(client, projectId) {
      onGone()
      dropCampaign(client, projectId, id)
    },
  })
  return {
    /** Copies the stored campaign, and opens the copy. */
    duplicate: () => beforeLeaving((leave) => void copying.run(leave)),
    cancel() {
      const left = Math.max(0, totalRecipients - sentCount)
      confirm({
        title: status === "SCHEDULED" ? "Do not send this campaign?" : "Stop sending?",
        text:
          status === "SCHEDULED"
            ? "It will not go out. It cannot be scheduled again, but duplicated."
            : `${count(left, "mail")} that ${left === 1 ? "is" : "are"} not on the way yet will not go out. What was sent stays sent.`,
        confirm: status === "SCHEDULED" ? "Cancel the campaign" : "Stop",
        onConfirm: () => void cancellation.run(),
      })
    },
    remove() {
      const kept = sentCount > 0 ? ` The ${count(sentCount, "mail")} sent with it stay in the list of mails.` : ""
      confirm({
        title: "Delete this campaign?",
        text: `${name} and its report are gone for good.${kept}`,
        confirm: "Delete",
        onConfirm: () => void deletion.run(),
      })
    },
  }
}
