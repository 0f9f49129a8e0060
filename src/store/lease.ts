/** The exclusive right of one node to work on a row. Once it has lapsed, any node may free the row. */
export interface Lease {
  /** The node that holds it: `store.node`. */
  readonly owner: string
  readonly ms: number
}

/** The columns of a lease while no node has it. */
export const unleased = { leaseOwner: null, leaseUntil: null } as const
