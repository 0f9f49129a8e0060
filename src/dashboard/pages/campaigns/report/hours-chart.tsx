import { useMemo } from "react"
import type { Campaign } from "../../../api/campaigns.ts"
import { Chart } from "../../../parts/chart/chart.tsx"
import { useNow } from "../../../ui/when.tsx"
import { describeHours, type Hour } from "./hours.ts"

/** Opens and clicks of each of the first hours, as far as these have begun. */
export function HoursChart({ campaign, hours }: { campaign: Campaign; hours: readonly Hour[] }) {
  const now = useNow()
  const count = Math.max(1, hours.filter(({ startsAt }) => Date.parse(startsAt) <= now).length)
  const data = useMemo(() => {
    const begun = hours.slice(0, count)
    return {
      unit: "hour" as const,
      points: begun.map(({ startsAt }) => startsAt),
      series: [
        { label: "Opens", tone: "first" as const, values: begun.map(({ opens }) => opens) },
        { label: "Clicks", tone: "second" as const, values: begun.map(({ clicks }) => clicks) },
      ],
    }
  }, [hours, count])
  return (
    <Chart
      title="The first 48 hours"
      late
      data={data}
      summary={describeHours(hours, now)}
      file={`opens-and-clicks-${campaign.id}`}
    />
  )
}
