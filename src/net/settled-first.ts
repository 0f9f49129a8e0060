import type { Store } from "../store/store.ts"
import type { SafeFetch } from "./safe-fetch.ts"

/** Delays requests until everything that they may reveal is on disk, so that a power failure cannot undo it. */
export const settledFirst =
  (store: Pick<Store, "settled">, outbound: SafeFetch): SafeFetch =>
  async (...request) => {
    await store.settled()
    return outbound(...request)
  }
