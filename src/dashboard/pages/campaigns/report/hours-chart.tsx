import { useMemo } from "react"
import type { Campaign } from "../../../api/campaigns.ts"
import { Chart } from "../../../parts/chart/chart.tsx"
import { useNow } from "../../../ui/when.tsx"
import { describeHours, type Hour } from "./hours.ts"

/** Opens and clicks of each of the first hours. */
export function HoursChart({ campaign, hours }: { campaign: Campaign; hours: readonly Hour[] }) {
  const now = useNow()
  const data = useMemo(
    () => ({
      unit: "hour" as const,
      points: hours.map(({ startsAt }) => startsAt),
      series: [
        { label: "Opens", tone: "first" as const, values: hours.map(({ opens }) => opens) },
        { label: "Clicks", tone: "second" as const, values: hours.map(({ clicks }) => clicks) },
      ],
    }),
    [hours],
  )
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
