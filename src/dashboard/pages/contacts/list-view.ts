import { useSearchParams } from "wouter"
import { useSettledText } from "../../ui/settled-text.ts"
import type { ContactFilter, Direction, SortKey } from "./api.ts"

/** What the list shows and in which order; it stands in the address, so that it can be shared and gone back to. */
export interface ListView extends ContactFilter {
  readonly sort: SortKey
  readonly dir: Direction
}

export const isFiltered = ({ search, subscribed }: ContactFilter): boolean => search !== "" || subscribed !== null

export function readView(params: URLSearchParams): ListView {
  const subscribed = params.get("subscribed")
  return {
    search: params.get("search")?.trim() ?? "",
    subscribed: subscribed === "true" ? true : subscribed === "false" ? false : null,
    sort: params.get("sort") === "email" ? "email" : "createdAt",
    dir: params.get("dir") === "asc" ? "asc" : "desc",
  }
}

/** As a query string with its question mark; what is as usual is left out. */
export function writeView({ search, subscribed, sort, dir }: ListView): string {
  const params = new URLSearchParams()
  if (search) params.set("search", search)
  if (subscribed !== null) params.set("subscribed", String(subscribed))
  if (sort !== "createdAt") params.set("sort", sort)
  if (dir !== "desc") params.set("dir", dir)
  return params.size > 0 ? `?${params}` : ""
}

/** The view in the address, the text in the search field that is to become part of it, and how to change both. */
export function useListView() {
  const [params, setParams] = useSearchParams()
  const view = readView(params)
  const change = (part: Partial<ListView>) => {
    const now = readView(new URLSearchParams(location.search))
    setParams(new URLSearchParams(writeView({ ...now, ...part })), { replace: true })
  }
  const [text, setText] = useSettledText(view.search, (search) => change({ search }))
  return { view, text, setText, change, clear: () => change({ search: "", subscribed: null }) }
}
