import { useSearchParams } from "wouter"
import type { ActivityFilter } from "../../api/activity.ts"

/** The view of the page, as in its URL. Days are `YYYY-MM-DD` in the user's time zone; `""` means all. */
export interface ActivityView {
  readonly types: readonly string[]
  readonly contact: string
  readonly from: string
  readonly to: string
}

export function useActivityView() {
  const [params, setParams] = useSearchParams()
  const view: ActivityView = {
    types: (params.get("types") ?? "").split(",").filter((type) => type !== ""),
    contact: params.get("contact") ?? "",
    from: dayIn(params.get("from")),
    to: dayIn(params.get("to")),
  }
  const change = (part: Partial<ActivityView>) => {
    const { types, contact, from, to } = { ...view, ...part }
    const texts = { types: types.join(","), contact, from, to }
    setParams(Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== "")), { replace: true })
  }
  return { view, change, clear: () => setParams({}, { replace: true }) }
}

const dayIn = (text: string | null): string => (/^\d{4}-\d{2}-\d{2}$/.test(text ?? "") ? (text ?? "") : "")

/** A period that ends before it starts is reversed. */
export function filterOf({ types, contact, from, to }: ActivityView): ActivityFilter {
  const [first, last] = from && to && from > to ? [to, from] : [from, to]
  return {
    types: types.join(","),
    contactId: contact,
    startDate: first && isoAt(`${first}T00:00:00.000`),
    endDate: last && isoAt(`${last}T23:59:59.999`),
  }
}

/** `""` for a day that does not exist. */
function isoAt(local: string): string {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? "" : at.toISOString()
}
