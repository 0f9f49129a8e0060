import { expect, test } from "bun:test"
import { formatNobody, formatRecipients } from "../../src/dashboard/pages/campaigns/labels.ts"
import { instantOf, wallTimeOf, zones } from "../../src/dashboard/pages/campaigns/zoned-time.ts"

const utc = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString().slice(0, 16))

for (const [wall, zone, expected] of [
  ["2026-11-21T10:30", "UTC", "2026-11-21T10:30"],
  ["2026-11-21T10:30", "Europe/Berlin", "2026-11-21T09:30"],
  ["2026-07-01T10:30", "Europe/Berlin", "2026-07-01T08:30"],
  ["2026-11-21T10:30", "Asia/Kolkata", "2026-11-21T05:00"],
  ["2026-11-21T00:30", "America/Los_Angeles", "2026-11-21T08:30"],
  // the first of the two hours that clocks show when summer ends
  ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30"],
  // clocks skip from 02:00 to 03:00 when it begins
  ["2026-03-29T02:30", "Europe/Berlin", "2026-03-29T01:30"],
  ["2026-03-29T03:00", "Europe/Berlin", "2026-03-29T01:00"],
  ["", "UTC", null],
  ["soon", "UTC", null],
] as const)
  test(`"${wall}" in ${zone} is ${expected} in UTC`, () => expect(utc(instantOf(wall, zone))).toBe(expected))

test("a time is shown in a zone as it was typed", () => {
  for (const zone of ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
    expect(wallTimeOf(instantOf("2026-06-15T08:05", zone) ?? 0, zone)).toBe("2026-06-15T08:05")
})

test("the own zone stands first, each zone once", () => {
  const all = zones()
  expect(all[0]).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
  expect(new Set(all).size).toBe(all.length)
})

test("news are for subscribed contacts, what must be known for all", () => {
  expect(formatRecipients(1_200, "MARKETING")).toBe("1,200 subscribed contacts")
  expect(formatRecipients(1, "TRANSACTIONAL")).toBe("1 contact")
})

test("a campaign for nobody says whether nobody is there or nobody is subscribed", () => {
  expect(formatNobody("SEGMENT", 0)).toBe("The segment is empty.")
  expect(formatNobody("SEGMENT", 3)).toBe("Nobody in the segment is subscribed.")
})
