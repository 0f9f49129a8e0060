/** A map that forgets what was used longest ago once it holds too many entries, or too much weight. */
export interface Lru<V> {
  get(key: string): V | undefined
  set(key: string, value: V, weight?: number): void
  readonly size: number
}

export function createLru<V>(maxEntries: number, maxWeight = Number.POSITIVE_INFINITY): Lru<V> {
  const entries = new Map<string, { value: V; weight: number }>()
  let total = 0

  const forget = (key: string): void => {
    total -= entries.get(key)?.weight ?? 0
    entries.delete(key)
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, weight = 1) {
      forget(key)
      if (weight > maxWeight) return
      entries.set(key, { value, weight })
      total += weight
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && total <= maxWeight) break
        forget(oldest)
      }
    },
    get size() {
      return entries.size
    },
  }
}

/** The value kept under the key, made when there is none. */
export function getOrCreate<V>(cache: Lru<V>, key: string, make: () => V): V {
  const known = cache.get(key)
  if (known !== undefined) return known
  const made = make()
  cache.set(key, made)
  return made
}
