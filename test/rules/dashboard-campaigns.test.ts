import { expect, test } from "bun:test"
import { formatNobody, formatRecipients } from "../../src/dashboard/pages/campaigns/labels.ts"
import { describeHours } from "../../src/dashboard/pages/campaigns/report/hours.ts"
import { hasVariableLink, linksOf } from "../../src/dashboard/pages/campaigns/report/links.ts"
import { instantOf, wallTimeOf, zones } from "../../src/dashboard/pages/campaigns/zoned-time.ts"

const utc = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString().slice(0, 16))

for (const [wall, zone, expected] of [
  ["2026-11-21T10:30", "UTC", "2026-11-21T10:30"],
  ["2026-11-21T10:30", "Europe/Berlin", "2026-11-21T09:30"],
  ["2026-07-01T10:30", "Europe/Berlin", "2026-07-01T08:30"],
  ["2026-11-21T10:30", "Asia/Kolkata", "2026-11-21T05:00"],
  ["2026-11-21T00:30", "America/Los_Angeles", "2026-11-21T08:30"],
  // the first of the two equal hours at the end of summer time
  ["2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30"],
  // clocks skip from 02:00 to 03:00 at the start of summer time
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

test("the user's zone comes first, each zone once", () => {
  const all = zones()
  expect(all[0]).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone)
  expect(new Set(all).size).toBe(all.length)
})

test("marketing mail is for subscribed contacts, transactional mail for all", () => {
  expect(formatRecipients(1_200, "MARKETING")).toBe("1,200 subscribed contacts")
  expect(formatRecipients(1, "TRANSACTIONAL")).toBe("1 contact")
})

test("a campaign without recipients shows whether there are no contacts or none is subscribed", () => {
  expect(formatNobody("SEGMENT", 0)).toBe("The segment is empty.")
  expect(formatNobody("SEGMENT", 3)).toBe("Nobody in the segment is subscribed.")
})

test("the links of a campaign are those that were followed, then those of its body that nobody did", () => {
  const followed = [
    { url: "https://acme.test/two", clicks: 3 },
    { url: "https://acme.test/for/7", clicks: 1 },
  ]
  const hrefs = [
    "https://acme.test/two",
    "https://acme.test/one",
    "https://acme.test/one",
    "https://acme.test/for/{{id}}",
    "https://ácme.test/",
    "{{unsubscribeUrl}}",
    "mailto:hi@acme.test",
    "https://",
  ]
  expect(linksOf(followed, hrefs)).toEqual([
    ...followed,
    { url: "https://acme.test/one", clicks: 0 },
    { url: "https://xn--cme-dla.test/", clicks: 0 },
  ])
})

const hoursWith = (...counts: readonly (readonly [opens: number, clicks: number])[]) =>
  counts.map(([opens, clicks], at) => ({ startsAt: `2026-06-01T0${at}:00:00.000Z`, opens, clicks }))

test("the hours of a campaign are told in a sentence", () => {
  const none = hoursWith([0, 0], [0, 0], [0, 0])
  const some = hoursWith([1, 0], [1_200, 1], [3, 0])
  const end = Date.parse("2026-06-01T03:00:00.000Z")
  expect(describeHours(none, end)).toBe("No opens and no clicks in the first 48 hours.")
  expect(describeHours(none, end - 1)).toBe("No opens and no clicks so far.")
  expect(describeHours(some, end)).toBe("1,204 opens and 1 click in the first 48 hours, most of them in hour 2.")
  expect(describeHours(some, end - 1)).toBe("1,204 opens and 1 click so far, most of them in hour 2.")
})

test("a link with a variable in its address is told from those to the pages of the server", () => {
  expect(hasVariableLink(["https://a.test/{{id}}"])).toBe(true)
  expect(hasVariableLink(["{{shopUrl}}"])).toBe(true)
  expect(hasVariableLink(["{{unsubscribeUrl}}", "{{ manageUrl }}", "https://a.test/", ""])).toBe(false)
})
