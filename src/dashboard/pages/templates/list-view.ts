import { useSearchParams } from "wouter"
import { useSettledText } from "../../ui/settled-text.ts"
import { mailTypes } from "../../wire.ts"
import type { TemplateQuery, TemplateSort } from "./api.ts"

const sorts: readonly TemplateSort[] = ["name", "createdAt", "updatedAt"]
const pageSize = 20

export function readView(params: URLSearchParams): TemplateQuery {
  const page = Number(params.get("page"))
  return {
    search: params.get("search")?.trim() ?? "",
    type: mailTypes.find((type) => type === params.get("type")) ?? null,
    sort: sorts.find((sort) => sort === params.get("sort")) ?? "updatedAt",
    dir: params.get("dir") === "asc" ? "asc" : "desc",
    page: Number.isInteger(page) && page > 0 ? page : 1,
    pageSize,
  }
}

function writeView({ search, type, sort, dir, page }: TemplateQuery): URLSearchParams {
  const params = new URLSearchParams()
  if (search) params.set("search", search)
  if (type) params.set("type", type)
  if (sort !== "updatedAt") params.set("sort", sort)
  if (dir !== "desc") params.set("dir", dir)
  if (page > 1) params.set("page", String(page))
  return params
}

/** What the list shows, as it stands in the address. Any change but of the page goes back to the first one. */
export function useTemplateView() {
  const [params, setParams] = useSearchParams()
  const view = readView(params)
  const change = (part: Partial<TemplateQuery>) => {
    const now = readView(new URLSearchParams(location.search))
    setParams(writeView({ ...now, page: 1, ...part }), { replace: part.page === undefined })
  }
  const [text, setText] = useSettledText(view.search, (search) => change({ search }))
  return { view, text, setText, change, clear: () => change({ search: "", type: null }) }
}
