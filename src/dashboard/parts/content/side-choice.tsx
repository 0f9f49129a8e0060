import { SegmentedControl } from "@mantine/core"

export type Side = "write" | "preview"

/** Chooses the side in view where the screen is too narrow for both. */
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
