/** Contacts whose membership one unit of work changes at most. */
const most = 500
const first = 50
/** How long a unit should take at most, in ms. */
const limitMs = 10

interface SliceSize {
  current(): number
  /** How long a slice of the current size took, in ms. */
  took(ms: number): void
}

/**
 * The number of contacts of the next slice. What a contact costs depends on the condition and on the size of its data,
 * so that it is known only from the slices before.
 */
export function createSliceSize(): SliceSize {
  let size = first
  return {
    current: () => size,
    took(ms) {
      if (ms > limitMs) size = Math.max(1, Math.floor((size * limitMs) / ms))
      else if (ms < limitMs / 2) size = Math.min(most, size * 2)
    },
  }
}
