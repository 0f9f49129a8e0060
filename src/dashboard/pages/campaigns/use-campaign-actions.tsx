import { notifications } from "@mantine/notifications"
import { useQueryClient } from "@tanstack/react-query"
import { useLocation } from "wouter"
import { type Campaign, cancelCampaign, deleteCampaign, duplicateCampaign } from "../../api/campaigns.ts"
import { asNew } from "../../context/just-created.ts"
import { useBeforeLeaving, useRelease } from "../../context/leave-guard.ts"
import { useSession } from "../../context/session.ts"
import { forgetCampaign, keepCampaign } from "../../queries/campaigns.ts"
import { confirm } from "../../ui/confirm.tsx"
import { count } from "../../ui/format.ts"
import { formatRefusal } from "./faults.ts"

/** What can be done with a campaign as a whole. `onGone` is called once it is deleted, before it leaves the lists. */
export function useCampaignActions(campaign: Campaign, onGone: () => void = () => {}) {
  const { project } = useSession()
  const client = useQueryClient()
  const [, go] = useLocation()
  const beforeLeaving = useBeforeLeaving()
  const release = useRelease()
  const { id, name, status, totalRecipients, sentCount } = campaign

  const fail = (title: string) => (cause: unknown) => {
    notifications.show({ color: "red", title, message: formatRefusal(cause) })
  }
  const cancelNow = async () => {
    const cancelled = await cancelCampaign(project.id, id).catch(fail("Not cancelled"))
    if (cancelled) keepCampaign(client, project.id, cancelled)
  }
  const goToCopy = async () => {
    const copy = await duplicateCampaign(project.id, id).catch(fail("Not duplicated"))
    if (!copy) return
    keepCampaign(client, project.id, copy)
    release()
    go(`/campaigns/${copy.id}`, asNew)
    notifications.show({ message: `This is the copy: ${copy.name}`, autoClose: 3000 })
  }
  return {
    /** Copies it as it is stored, and opens the copy. */
    duplicate: () => beforeLeaving(() => void goToCopy()),
    cancel() {
      const left = Math.max(0, totalRecipients - sentCount)
      confirm({
        title: status === "SCHEDULED" ? "Do not send this campaign?" : "Stop sending?",
        text:
          status === "SCHEDULED"
            ? "It will not go out. It cannot be scheduled again, but duplicated."
            : `${count(left, "mail")} that ${left === 1 ? "is" : "are"} not on the way yet will not go out. What was sent stays sent.`,
        confirm: status === "SCHEDULED" ? "Cancel the campaign" : "Stop",
        onConfirm: () => void cancelNow(),
      })
    },
    remove() {
      const kept = sentCount > 0 ? ` The ${count(sentCount, "mail")} sent with it stay in the list of mails.` : ""
      confirm({
        title: "Delete this campaign?",
        text: `${name} and its report are gone for good.${kept}`,
        confirm: "Delete",
        onConfirm: async () => {
          try {
            await deleteCampaign(project.id, id)
          } catch (cause) {
            return fail("Not deleted")(cause)
          }
          onGone()
          forgetCampaign(client, project.id, id)
        },
      })
    },
  }
}
