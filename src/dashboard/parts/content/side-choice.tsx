import { SegmentedControl } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { useState } from "react"

export type Side = "write" | "preview"

/** The side in view where the screen is too narrow for both; null where both are in view. */
export function useSide(): { side: Side | null; setSide(side: Side): void } {
  const narrow = useMediaQuery("(max-width: 61.99em)", false, { getInitialValueInEffect: false })
  const [side, setSide] = useState<Side>("write")
  return { side: narrow ? side : null, setSide }
}

/** Chooses the side in view. */
export function SideChoice({ side, onSide }: { side: Side; onSide(side: Side): void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Side"
      data={[
        { value: "write", label: "Write" },
        { value: "preview", label: "Preview" },
      ]}
      value={side}
      onChange={(value) => onSide(value === "preview" ? "preview" : "write")}
    />
  )
}
