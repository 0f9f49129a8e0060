/**
 * Works through a list, so many pieces at a time, in order of their begin. The first failure is the failure of all: no
 * further piece is begun. `work` tells with `false` that the rest is of no use.
 */
export async function sideBySide<T>(
  pieces: readonly T[],
  width: number,
  work: (piece: T, at: number) => Promise<boolean | undefined>,
): Promise<void> {
  let next = 0
  async function goOn(): Promise<void> {
    while (next < pieces.length) {
      const at = next++
      try {
        if ((await work(pieces[at] as T, at)) === false) next = pieces.length
      } catch (cause) {
        next = pieces.length
        throw cause
      }
    }
  }
  await Promise.all(Array.from({ length: width }, goOn))
}
