/** The items of several lists in one: the first of each, then the second of each, and so on. */
export function interleave<T>(lists: readonly (readonly T[])[]): T[] {
  const mixed: T[] = []
  const longest = Math.max(0, ...lists.map((list) => list.length))
  for (let at = 0; at < longest; at++) for (const list of lists) if (at < list.length) mixed.push(list[at] as T)
  return mixed
}
