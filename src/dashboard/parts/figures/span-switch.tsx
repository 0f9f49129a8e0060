import { SegmentedControl } from "@mantine/core"
import { daysIn, type SpanDays, spans } from "./span.ts"

/** Chooses the last 7, 30 or 90 days. */
export const SpanSwitch = ({ days, onDays }: { days: SpanDays; onDays(days: SpanDays): void }) => (
  <SegmentedControl
    size="xs"
    aria-label="Days"
    value={String(days)}
    onChange={(value) => onDays(daysIn(value))}
    data={spans.map((one) => ({ value: String(one), label: `${one} days` }))}
  />
)
