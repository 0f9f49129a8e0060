/** The same key is read once; whoever asks again gets the same answer, also a rejection. For work that is soon over. */
export function once<T>(read: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (key) => {
    const answer = known.get(key) ?? read(key)
    known.set(key, answer)
    return answer
  }
}
