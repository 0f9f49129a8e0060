import { describe, expect, test } from "bun:test"
import {
  isUnread,
  markAllRead,
  markRead,
  markUnread,
  mayBeUnreadBefore,
  noMarks,
  parseMarks,
  readLimit,
  unreadLimit,
} from "../../src/dashboard/parts/mail-feed/read-marks.ts"

const id = (n: number): string => `0199c0de-0000-7000-8000-${String(n).padStart(12, "0")}`
const ids = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => id(from + index))

describe("read marks", () => {
  test("a mail is unread until it is marked, and may be unmarked", () => {
    expect(isUnread(noMarks, id(1))).toBe(true)
    const read = markRead(noMarks, id(1))
    expect(isUnread(read, id(1))).toBe(false)
    expect(isUnread(markUnread(read, id(1)), id(1))).toBe(true)
  })

  test("marking all leaves what comes later unread, and one of the old ones may be unmarked", () => {
    const marks = markUnread(markAllRead(markRead(noMarks, id(9)), id(5)), id(3))
    expect([1, 3, 5, 6, 9].map((n) => isUnread(marks, id(n)))).toEqual([false, true, false, true, false])
    expect(isUnread(markRead(marks, id(3)), id(3))).toBe(false)
    expect(markAllRead(marks, id(2)).upTo).toBe(id(5))
  })

  test("what is older than a mail may be unread unless the line is above it", () => {
    const marks = markAllRead(noMarks, id(5))
    expect([4, 5, 6].map((n) => mayBeUnreadBefore(marks, id(n)))).toEqual([false, false, true])
    expect([2, 3].map((n) => mayBeUnreadBefore(markUnread(marks, id(2)), id(n)))).toEqual([false, true])
    expect(mayBeUnreadBefore(markRead(noMarks, id(1)), id(2))).toBe(true)
  })

  test("beyond the limit the oldest marks give way to a line below which all is read", () => {
    const marks = ids(1, readLimit + 10)
      .reverse()
      .reduce(markRead, noMarks)
    expect(marks.read.length).toBe(readLimit)
    expect(marks.upTo).toBe(id(10))
    expect(ids(1, readLimit + 10).some((each) => isUnread(marks, each))).toBe(false)
    expect(isUnread(marks, id(readLimit + 11))).toBe(true)
  })

  test("exceptions below the line are bounded too", () => {
    const marks = ids(1, unreadLimit + 5).reduce(markUnread, markAllRead(noMarks, id(unreadLimit + 5)))
    expect(marks.unread.length).toBe(unreadLimit)
    expect(isUnread(marks, id(5))).toBe(false)
    expect(isUnread(marks, id(6))).toBe(true)
  })

  test.each([
    [null],
    [""],
    ["{"],
    ["[]"],
    ['{"upTo":1,"read":[],"unread":[]}'],
    ['{"upTo":"","read":[1],"unread":[]}'],
  ])("what the browser kept as %p is no marks", (text) => {
    expect(parseMarks(text)).toEqual(noMarks)
  })

  test("what was kept is read back", () => {
    const marks = markRead(markAllRead(noMarks, id(5)), id(9))
    expect(parseMarks(JSON.stringify(marks))).toEqual(marks)
  })
})
