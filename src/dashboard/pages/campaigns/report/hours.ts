import type { CampaignEngagement } from "../../../api/campaigns.ts"
import { count } from "../../../ui/format.ts"

export type Hour = CampaignEngagement["hours"][number]

const hourMs = 3_600_000

/** The chart as a sentence. */
export function describeHours(hours: readonly Hour[], now: number): string {
  const opens = hours.reduce((sum, hour) => sum + hour.opens, 0)
  const clicks = hours.reduce((sum, hour) => sum + hour.clicks, 0)
  const areOver = now >= Date.parse(hours.at(-1)?.startsAt ?? "") + hourMs
  const span = areOver ? "in the first 48 hours" : "so far"
  if (opens + clicks === 0) return `No opens and no clicks ${span}.`
  const busiest = hours.reduce(
    (best, { opens, clicks }, at) => (opens + clicks > best.sum ? { sum: opens + clicks, at } : best),
    { sum: 0, at: 0 },
  )
  return `${count(opens, "open")} and ${count(clicks, "click")} ${span}, most of them in hour ${busiest.at + 1}.`
}
