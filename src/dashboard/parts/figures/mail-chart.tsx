import { useMemo } from "react"
import type { Overview } from "../../api/analytics.ts"
import { Chart } from "../chart/chart.tsx"

/** What happened with mails on each day of a span. */
export function MailChart({ overview: { days, startDate, endDate } }: { overview: Overview }) {
  const data = useMemo(
    () => ({
      unit: "day" as const,
      points: days.map(({ date }) => date),
      series: (
        [
          ["Sent", "sent", "first"],
          ["Opened", "opened", "second"],
          ["Clicked", "clicked", "third"],
          ["Bounced", "bounced", "fourth"],
        ] as const
      ).map(([label, name, tone]) => ({ label, tone, values: days.map((day) => day[name]) })),
    }),
    [days],
  )
  return <Chart title="Mails by day" data={data} file={`mails-${startDate}-${endDate}`} />
}
