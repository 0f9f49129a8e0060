import type { LoggedRequest } from "./table.ts"

/** What many requests have in common: project, method, route, status and key, preceded by its place in the list. */
type RequestKind = readonly [
  place: number,
  projectId: string | null,
  method: string,
  route: string,
  status: number,
  key: string,
]

/** Requests of about two seconds, in the order of arrival. */
export interface RequestBatch {
  /** In ms. */
  readonly since: number
  readonly kinds: readonly RequestKind[]
  /**
   * A number for each request, so that no object is kept for it: its duration in microseconds (32 bits), the time since
   * the beginning of the batch in ms (11 bits), and the place of its kind (10 bits).
   */
  readonly requests: readonly number[]
}

/** The multiples of the parts of such a number. */
export const [kindsInBatch, msInBatch] = [1 << 10, 1 << 11] as const
const longest = 2 ** 32 - 1

/** Collects requests until they are taken; a batch ends with that many requests. */
export function createRequestBuffer(atOnce: number) {
  let batches: RequestBatch[] = []
  let since = 0
  let kinds: RequestKind[] = []
  let requests: number[] = []
  let places = new Map<string, number>()

  function begin(at: number): void {
    since = at
    kinds = []
    requests = []
    places = new Map()
    batches.push({ since, kinds, requests })
  }

  function placeOf({ projectId, method, route, status, key }: LoggedRequest): number {
    const name = `${status} ${key} ${projectId} ${method} ${route}`
    let place = places.get(name)
    if (place === undefined) {
      place = kinds.length
      places.set(name, place)
      kinds.push([place, projectId, method, route, status, key])
    }
    return place
  }

  return {
    add(request: LoggedRequest): void {
      const { at, duration } = request
      const isOver = requests.length >= atOnce || kinds.length >= kindsInBatch || at < since || at >= since + msInBatch
      if (batches.length === 0 || isOver) begin(at)
      requests.push((Math.min(duration, longest) * msInBatch + (at - since)) * kindsInBatch + placeOf(request))
    },
    take(): readonly RequestBatch[] {
      const taken = batches
      batches = []
      return taken
    },
  }
}
