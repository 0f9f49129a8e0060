/** Whether a text contains a part, both in folded case, by whole code points: half a surrogate pair does not match. */
export function holds(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1))
    if (!splitsPair(text, at) && !splitsPair(text, at + part.length)) return true
  return false
}

/** Below zero when `one` is before `other` by code point, as UTF-8 sorts texts; UTF-16 has another order. */
export function compareText(one: string, other: string): number {
  let at = 0
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return weight(one, at) - weight(other, at)
}

/** The sort value of a code unit: above the first plane for half a surrogate pair, -1 after the end. */
function weight(text: string, at: number): number {
  if (at >= text.length) return -1
  const unit = text.charCodeAt(at)
  return splitsPair(text, at) || splitsPair(text, at + 1) ? unit + 0x10000 : unit
}

const splitsPair = (text: string, at: number): boolean =>
  (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00
