interface GroupLimits {
  /** Items of a group. */
  readonly most?: number
  /** Bytes of a group together; more only for an item that is larger by itself. */
  readonly bytes: number
}

/** The items in their order, in groups of limited size. */
export function* groupsOf<T>(
  items: Iterable<T>,
  { most = Number.POSITIVE_INFINITY, bytes }: GroupLimits,
  bytesOf: (item: T) => number,
): Generator<T[]> {
  let group: T[] = []
  let sum = 0
  for (const item of items) {
    const size = bytesOf(item)
    if (group.length === most || (group.length > 0 && sum + size > bytes)) {
      yield group
      group = []
      sum = 0
    }
    group.push(item)
    sum += size
  }
  if (group.length > 0) yield group
}
