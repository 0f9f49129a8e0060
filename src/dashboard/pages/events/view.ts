import { useSearchParams } from "wouter"
import type { EventFilter } from "../../api/events.ts"

/** The view of the page, as in its URL. Days are `YYYY-MM-DD` in the user's time zone; `""` means all. */
export interface EventView {
  readonly name: string
  readonly contact: string
  readonly from: string
  readonly to: string
}

const parts = ["name", "contact", "from", "to"] as const

export function useEventView() {
  const [params, setParams] = useSearchParams()
  const view: EventView = {
    name: params.get("name") ?? "",
    contact: params.get("contact") ?? "",
    from: dayIn(params.get("from")),
    to: dayIn(params.get("to")),
  }
  const change = (part: Partial<EventView>) => {
    const next = { ...view, ...part }
    setParams(Object.fromEntries(parts.flatMap((name) => (next[name] ? [[name, next[name]]] : []))), { replace: true })
  }
  return { view, change, clear: () => setParams({}, { replace: true }) }
}

const dayIn = (text: string | null): string => (/^\d{4}-\d{2}-\d{2}$/.test(text ?? "") ? (text ?? "") : "")

/** A period that ends before it starts is reversed. */
export function filterOf({ name, contact, from, to }: EventView): EventFilter {
  const [first, last] = from && to && from > to ? [to, from] : [from, to]
  return {
    eventName: name,
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
