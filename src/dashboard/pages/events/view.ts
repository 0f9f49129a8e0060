import { useSearchParams } from "wouter"
import type { EventFilter } from "../../api/events.ts"

/** What the page shows, as its address has it. Days are `YYYY-MM-DD` in the zone of the reader; `""` is all. */
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

/** A stretch that ends before it starts is turned round. */
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
