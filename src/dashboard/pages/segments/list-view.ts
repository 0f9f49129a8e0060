import { useSearchParams } from "wouter"
import { useSettledText } from "../../ui/settled-text.ts"
import type { Segment, SegmentType } from "./api.ts"

export type SegmentSort = "name" | "memberCount" | "updatedAt"

/** What the list shows and in which order, as it stands in the address. */
export interface SegmentView {
  readonly search: string
  readonly type: SegmentType | null
  readonly sort: SegmentSort
  readonly dir: "asc" | "desc"
}

const sorts: readonly SegmentSort[] = ["name", "memberCount", "updatedAt"]
const types: readonly SegmentType[] = ["DYNAMIC", "STATIC"]

export function readView(params: URLSearchParams): SegmentView {
  return {
    search: params.get("search")?.trim() ?? "",
    type: types.find((type) => type === params.get("type")) ?? null,
    sort: sorts.find((sort) => sort === params.get("sort")) ?? "updatedAt",
    dir: params.get("dir") === "asc" ? "asc" : "desc",
  }
}

function writeView({ search, type, sort, dir }: SegmentView): URLSearchParams {
  const params = new URLSearchParams()
  if (search) params.set("search", search)
  if (type) params.set("type", type)
  if (sort !== "updatedAt") params.set("sort", sort)
  if (dir !== "desc") params.set("dir", dir)
  return params
}

export const isFiltered = ({ search, type }: SegmentView): boolean => search !== "" || type !== null

/** The segments that a view shows, in its order: the server gives all of them at once. */
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

export function useSegmentView() {
  const [params, setParams] = useSearchParams()
  const view = readView(params)
  const change = (part: Partial<SegmentView>) => {
    const now = readView(new URLSearchParams(location.search))
    setParams(writeView({ ...now, ...part }), { replace: true })
  }
  const [text, setText] = useSettledText(view.search, (search) => change({ search }))
  return { view, text, setText, change, clear: () => change({ search: "", type: null }) }
}
