import { useSearchParams } from "wouter"
import type { ContactFilter, ContactView } from "../../api/contacts.ts"
import { useSettledText } from "../../ui/settled-text.ts"
import { isPart, type Part } from "./parts.ts"

export const isFiltered = ({ search, subscribed }: ContactFilter): boolean => search !== "" || subscribed !== null

function readView(params: URLSearchParams): ContactView {
  const subscribed = params.get("subscribed")
  return {
    search: params.get("search")?.trim() ?? "",
    subscribed: subscribed === "true" ? true : subscribed === "false" ? false : null,
    sort: params.get("sort") === "email" ? "email" : "createdAt",
    dir: params.get("dir") === "asc" ? "asc" : "desc",
  }
}

/** The visible part of the open contact, which is in the URL in addition to the view of the list. */
function readPart(params: URLSearchParams): Part {
  const part = params.get("tab")
  return isPart(part) ? part : "fields"
}

/** The query string with its question mark; default values are left out. */
export function writeView({ search, subscribed, sort, dir }: ContactView, part: Part = "fields"): string {
  const params = new URLSearchParams()
  if (search) params.set("search", search)
  if (subscribed !== null) params.set("subscribed", String(subscribed))
  if (sort !== "createdAt") params.set("sort", sort)
  if (dir !== "desc") params.set("dir", dir)
  if (part !== "fields") params.set("tab", part)
  return params.size > 0 ? `?${params}` : ""
}

/**
 * The view in the address, the text in the search field that is to become part of it, the part of the open contact, and
 * how to change them.
 */
export function useListView() {
  const [params, setParams] = useSearchParams()
  const view = readView(params)
  const write = (view: Partial<ContactView>, part?: Part) => {
    const now = new URLSearchParams(location.search)
    const written = writeView({ ...readView(now), ...view }, part ?? readPart(now))
    setParams(new URLSearchParams(written), { replace: true })
  }
  const change = (part: Partial<ContactView>) => write(part)
  const [text, setText] = useSettledText(view.search, (search) => change({ search }))
  return {
    view,
    text,
    setText,
    change,
    clear: () => change({ search: "", subscribed: null }),
    part: readPart(params),
    show: (part: Part) => write({}, part),
  }
}
