import { SegmentedControl } from "@mantine/core"
import type { Segment } from "../../../api/segments.ts"

/** The type of a new segment, which never changes afterwards. */
export function TypeChoice({ type, onType }: { type: Segment["type"]; onType(): void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Kind of segment"
      data={[
        { value: "DYNAMIC", label: "By conditions" },
        { value: "STATIC", label: "A fixed list" },
      ]}
      value={type}
      onChange={(value) => value !== type && onType()}
    />
  )
}
