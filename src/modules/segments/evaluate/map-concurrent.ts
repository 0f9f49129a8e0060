/**
 * Maps a list with at most `width` calls of `work` at a time, started in order; the results are in the order of the
 * list. Rejects with the first failure, after which no further item is started.
 */
export async function mapConcurrent<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  async function worker(): Promise<void> {
    while (next < items.length) {
      const index = next++
      try {
        results[index] = await work(items[index] as T)
      } catch (cause) {
        next = items.length
        throw cause
      }
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
