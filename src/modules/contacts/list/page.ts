import type { Contact } from "../table.ts"
import type { Position } from "./order.ts"

export interface ContactPage {
  readonly rows: readonly Contact[]
  /** All matches; 0 after the first page (contract A1.4.3). */
  readonly total: number
}

export interface Paging {
  /** The last contact of the page before; undefined for the first page. */
  readonly after: Position | undefined
  readonly limit: number
}
