import { listContacts } from "../../../api/contacts.ts"
import { listMembers, previewCondition } from "../../../api/segments.ts"
import { conditionOf } from "../../../parts/condition/use-condition.ts"
import type { Audience } from "../../../parts/content/use-preview-settings.ts"
import type { CampaignContent } from "./campaign-draft.ts"

const pageSize = 100

/**
 * A contact that would get the campaign: a subscribed member of its audience, where only those get it (contract
 * B1.5.1).
 */
export function readerOf(content: CampaignContent): Audience {
  const { type, audienceType, segmentId } = content
  const condition = audienceType === "FILTERED" ? conditionOf(content.condition) : null
  const getsIt = ({ subscribed }: { readonly subscribed: boolean }) => type === "TRANSACTIONAL" || subscribed
  return {
    key: JSON.stringify([type === "TRANSACTIONAL", audienceType, segmentId, condition]),
    async find(projectId, signal) {
      if (audienceType === "SEGMENT" && segmentId !== null)
        return (await listMembers(projectId, segmentId, { page: 1, pageSize }, signal)).data.find(getsIt)
      if (condition) return (await previewCondition(projectId, condition, signal)).contacts.find(getsIt)
      const subscribed = type === "TRANSACTIONAL" ? null : true
      const newest = { search: "", subscribed, sort: "createdAt", dir: "desc", limit: 1 } as const
      return (await listContacts(projectId, newest, signal)).data[0]
    },
  }
}
