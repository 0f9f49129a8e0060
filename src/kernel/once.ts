/**
 * Calls `read` once for each key; later callers get the same promise, a rejected one included. For short-lived use,
 * because results are kept.
 */
export function once<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (key) => {
    const answer = known.get(key) ?? read(key)
    known.set(key, answer)
    return answer
  }
}
