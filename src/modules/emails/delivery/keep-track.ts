/** Holds a promise in the set until it has settled, then calls `then`. */
export async function keepTrack(
  set: Set<Promise<void>>,
  work: Promise<void>,
  then: () => unknown = () => {},
): Promise<void> {
  set.add(work)
  await work.finally(() => {
    set.delete(work)
    then()
  })
}
