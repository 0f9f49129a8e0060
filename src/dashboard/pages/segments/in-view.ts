import type { Segment, SegmentType } from "../../api/segments.ts"
import type { ListView } from "../../list/list-view.ts"

export const segmentShape = {
  filter: "type",
  values: ["DYNAMIC", "STATIC"],
  sorts: ["updatedAt", "memberCount", "name"],
} as const

export type SegmentSort = (typeof segmentShape.sorts)[number]
type SegmentView = ListView<"type", SegmentType, SegmentSort>

/** Filters and sorts the segments for a view, because the server returns all of them. */
export function inView(segments: readonly Segment[], { search, type, sort, dir }: SegmentView): readonly Segment[] {
  const wanted = search.toLowerCase()
  const found = segments.filter(
    (segment) =>
      (type === null || segment.type === type) &&
      `${segment.name} ${segment.description ?? ""}`.toLowerCase().includes(wanted),
  )
  const turn = dir === "asc" ? 1 : -1
  return [...found].sort((one, other) => turn * compare(one, other, sort))
}

function compare(one: Segment, other: Segment, by: SegmentSort): number {
  if (by === "memberCount") return one.memberCount - other.memberCount
  return by === "name" ? one.name.localeCompare(other.name) : one.updatedAt < other.updatedAt ? -1 : 1
}
