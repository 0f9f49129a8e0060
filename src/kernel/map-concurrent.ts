/**
 * Maps a list with at most `width` calls of `work` at a time, started in order; the results are in the order of the
 * list. Each call is told which of the `width` places it takes, from 0. Rejects with the first failure, after which no
 * further item is started.
 */
export async function mapConcurrent<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, place: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  async function worker(place: number): Promise<void> {
    while (next < items.length) {
      const index = next++
      try {
        results[index] = await work(items[index] as T, place)
      } catch (cause) {
        next = items.length
        throw cause
      }
    }
  }
  await Promise.all(Array.from({ length: width }, (_, place) => worker(place)))
  return results
}
