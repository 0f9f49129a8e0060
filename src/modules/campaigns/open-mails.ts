import type { CampaignRef } from "./progress-store.ts"

/**
 * The number of open mails of each campaign that has made all its mails. With it only the ending of a campaign's last
 * mails becomes a signal, not that of each of a million.
 *
 * In memory: a lower bound, which may be stale without harm. A campaign starts at 0, which only causes unnecessary
 * signals. If a process misses the end of the last mail because another process counts it, `campaign.reconcile`
 * finishes the campaign.
 */
export interface OpenMails {
  /** Sets the number of open mails as read in a unit; endings reported by later units are counted off. */
  set(campaign: CampaignRef, open: number): void
  /** Counts off one ending. True when it may be that of the last open mail; within one process never wrongly false. */
  mayBeLast(campaignId: string): boolean
  delete(campaignId: string): void
  /** The campaigns of a project whose open mails are counted. */
  campaigns(projectId: string): readonly string[]
}

export function createOpenMails(): OpenMails {
  const counts = new Map<string, { readonly projectId: string; open: number }>()
  return {
    set: ({ id, projectId }, open) => void counts.set(id, { projectId, open }),
    mayBeLast(campaignId) {
      const count = counts.get(campaignId)
      if (count === undefined) return false
      return count.open-- <= 1
    },
    delete: (campaignId) => void counts.delete(campaignId),
    campaigns: (projectId) => [...counts].filter(([, count]) => count.projectId === projectId).map(([id]) => id),
  }
}
