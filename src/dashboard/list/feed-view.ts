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
    startDate: first && isoAt(`${first}T00:00:00.000`),
    endDate: last && isoAt(`${last}T23:59:59.999`),
  }
}

/** `""` for a day that does not exist. */
function isoAt(local: string): string {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? "" : at.toISOString()
}
