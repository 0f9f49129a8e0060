import { useSearchParams } from "wouter"
import { useSettledText } from "../../ui/settled-text.ts"
import { type CampaignQuery, type CampaignSort, campaignStatuses } from "./api.ts"

const sorts: readonly CampaignSort[] = ["name", "createdAt", "updatedAt"]
const pageSize = 20

export function readView(params: URLSearchParams): CampaignQuery {
  const page = Number(params.get("page"))
  return {
    search: params.get("search")?.trim() ?? "",
    status: campaignStatuses.find((status) => status === params.get("status")) ?? null,
    sort: sorts.find((sort) => sort === params.get("sort")) ?? "createdAt",
    dir: params.get("dir") === "asc" ? "asc" : "desc",
    page: Number.isInteger(page) && page > 0 ? page : 1,
    pageSize,
  }
}

function writeView({ search, status, sort, dir, page }: CampaignQuery): URLSearchParams {
  const params = new URLSearchParams()
  if (search) params.set("search", search)
  if (status) params.set("status", status)
  if (sort !== "createdAt") params.set("sort", sort)
  if (dir !== "desc") params.set("dir", dir)
  if (page > 1) params.set("page", String(page))
  return params
}

/** What the list shows, as it stands in the address. Any change but of the page goes back to the first one. */
export function useCampaignView() {
  const [params, setParams] = useSearchParams()
  const view = readView(params)
  const change = (part: Partial<CampaignQuery>) => {
    const now = readView(new URLSearchParams(location.search))
    setParams(writeView({ ...now, page: 1, ...part }), { replace: part.page === undefined })
  }
  const [text, setText] = useSettledText(view.search, (search) => change({ search }))
  return { view, text, setText, change, clear: () => change({ search: "", status: null }) }
}
