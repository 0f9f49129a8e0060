import { useSearchParams } from "wouter"

/** The filters of a feed, as in its URL. Days are `YYYY-MM-DD` in the user's time zone; `""` means all. */
export interface FeedView {
  /** An id. */
  readonly contact: string
  readonly from: string
  readonly to: string
}

/** The filters that all feeds have, and one of this feed. */
export function useFeedView<Own extends string>(own: Own) {
  type View = FeedView & Readonly<Record<Own, string>>
  const [params, setParams] = useSearchParams()
  const names: readonly (keyof View & string)[] = [own, "contact", "from", "to"]
  const textOf = (name: string): string => (name === "from" || name === "to" ? dayIn : String)(params.get(name) ?? "")
  const view = Object.fromEntries(names.map((name) => [name, textOf(name)])) as View
  const change = (part: Partial<View>) => {
    const next = { ...view, ...part }
    setParams(Object.fromEntries(names.flatMap((name) => (next[name] ? [[name, next[name]]] : []))), { replace: true })
  }
  const isFiltered = names.some((name) => view[name] !== "")
  return { view, isFiltered, change, clear: () => setParams({}, { replace: true }) }
}

const dayIn = (text: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : "")

/** The parameters of the API. A period that ends before it starts is reversed. */
export function filterOf({ contact, from, to }: FeedView) {
  const [first, last] = from && to && from > to ? [to, from] : [from, to]
  return {
    contactId: contact,
    startDate: first && edgeOf(first, 0, 0),
    // The last hour of a day may come twice.
    endDate: last && edgeOf(last, 1, -1),
  }
}

/** `ms` after the beginning of a day that is `days` later; `""` for a day that does not exist. */
function edgeOf(day: string, days: number, ms: number): string {
  const at = new Date(`${day}T00:00:00`)
  if (Number.isNaN(at.getTime())) return ""
  const edge = new Date(at.getFullYear(), at.getMonth(), at.getDate() + days)
  return new Date(edge.getTime() + ms).toISOString()
}
