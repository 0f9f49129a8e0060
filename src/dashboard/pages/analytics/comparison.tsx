import { NativeSelect } from "@mantine/core"
import { useMemo, useState } from "react"
import type { DayFigures, DaySpan, Overview } from "../../api/analytics.ts"
import { Chart } from "../../parts/chart/chart.tsx"
import { shownFigures } from "../../parts/figures/figures.tsx"
import { useOverview } from "../../queries/analytics.ts"

type Name = (typeof shownFigures)[number][0]

/** One figure by day, beside the days of the span before. */
export function Comparison({ overview, before }: { overview: Overview; before: DaySpan }) {
  const [name, setName] = useState<Name>("sent")
  const earlier = useOverview(before).data?.days
  const label = shownFigures.find(([one]) => one === name)?.[1] ?? ""
  const data = useMemo(() => {
    const values = (days: readonly DayFigures[]) => days.map((day) => day[name])
    return {
      unit: "day" as const,
      points: overview.days.map(({ date }) => date),
      series: [
        { label, tone: "first" as const, values: values(overview.days) },
        // until they are known they are not zero
        ...(earlier ? [{ label: "The days before", tone: "before" as const, values: values(earlier) }] : []),
      ],
    }
  }, [overview.days, earlier, name, label])
  return (
    <Chart title="Against the days before" data={data} file={`${name}-${overview.startDate}-${overview.endDate}`}>
      <NativeSelect
        size="xs"
        w={140}
        aria-label="Figure"
        value={name}
        onChange={({ currentTarget: { value } }) => setName(shownFigures.find(([one]) => one === value)?.[0] ?? "sent")}
        data={shownFigures.map(([value, text]) => ({ value, label: text }))}
      />
    </Chart>
  )
}
