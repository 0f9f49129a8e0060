/**
 * Which mails were looked at. Ids are UUIDv7, so they sort by age: everything up to `upTo` counts as read except `unread`,
 * everything after it as unread except `read`.
 */
export interface ReadMarks {
  readonly upTo: string
  readonly read: readonly string[]
  readonly unread: readonly string[]
}

/** Marks are kept in the browser, so their number has an end: beyond it the oldest give way. */
export const readLimit = 1000
export const unreadLimit = 200

export const noMarks: ReadMarks = { upTo: "", read: [], unread: [] }

export const isUnread = (marks: ReadMarks, id: string): boolean =>
  id <= marks.upTo ? marks.unread.includes(id) : !marks.read.includes(id)

/** Whether there may be an unread mail older than this one. */
export const mayBeUnreadBefore = ({ upTo, unread }: ReadMarks, id: string): boolean =>
  id > upTo || unread.some((other) => other < id)

export function markRead(marks: ReadMarks, id: string): ReadMarks {
  if (!isUnread(marks, id)) return marks
  const unread = marks.unread.filter((other) => other !== id)
  return id <= marks.upTo ? { ...marks, unread } : bounded({ ...marks, unread, read: [...marks.read, id] })
}

export function markUnread(marks: ReadMarks, id: string): ReadMarks {
  if (isUnread(marks, id)) return marks
  const read = marks.read.filter((other) => other !== id)
  return id <= marks.upTo ? bounded({ ...marks, read, unread: [...marks.unread, id] }) : { ...marks, read }
}

/** All mails up to the given one, and those before it, count as read. */
export const markAllRead = (marks: ReadMarks, newest: string): ReadMarks => {
  const upTo = newest > marks.upTo ? newest : marks.upTo
  return { upTo, read: marks.read.filter((id) => id > upTo), unread: [] }
}

function bounded({ upTo, read, unread }: ReadMarks): ReadMarks {
  const sorted = [...read].sort()
  const given = sorted.slice(0, Math.max(0, sorted.length - readLimit))
  return {
    upTo: given.at(-1) ?? upTo,
    read: sorted.slice(given.length),
    unread: unread.slice(-unreadLimit),
  }
}

/** Reads what the browser kept; whatever is not understood is no marks. */
export function parseMarks(text: string | null): ReadMarks {
  try {
    const { upTo, read, unread } = JSON.parse(text ?? "")
    const texts = (value: unknown): value is string[] =>
      Array.isArray(value) && value.every((item) => typeof item === "string")
    return typeof upTo === "string" && texts(read) && texts(unread) ? { upTo, read, unread } : noMarks
  } catch {
    return noMarks
  }
}
