import { expect, test } from "bun:test"
import { hour, minute } from "../../src/kernel/clock.ts"
import {
  laneOf,
  lanes,
  nextAttemptAt,
  outcomeUnknown,
  raise,
  repeatsUnknown,
  sourceTypeOf,
} from "../../src/modules/emails/rules.ts"
import { type EmailStatus, emailStatuses } from "../../src/modules/emails/table.ts"

test.each([
  ["api", "TRANSACTIONAL", "TRANSACTIONAL", "transactional"],
  ["api", "HEADLESS", "TRANSACTIONAL", "transactional"],
  ["api", "MARKETING", "TRANSACTIONAL", "bulk"],
  ["system", "TRANSACTIONAL", "TRANSACTIONAL", "transactional"],
  ["workflow", "TRANSACTIONAL", "TRANSACTIONAL", "workflow"],
  ["workflow", "HEADLESS", "WORKFLOW", "workflow"],
  ["workflow", "MARKETING", "WORKFLOW", "bulk"],
  ["campaign", "TRANSACTIONAL", "TRANSACTIONAL", "bulk"],
  ["campaign", "HEADLESS", "CAMPAIGN", "bulk"],
  ["campaign", "MARKETING", "CAMPAIGN", "bulk"],
] as const)(
  "%s mail of type %s is shown as %s and takes the %s lane (contract A4.5.3)",
  (kind, type, sourceType, lane) => {
    const source = kind === "api" || kind === "system" ? { kind, id: null } : { kind, id: "x" }
    expect([sourceTypeOf(source, type), laneOf(source, type)]).toEqual([sourceType, lanes[lane]])
  },
)

test("only mail that must not arrive twice is not repeated when its outcome is unknown", () => {
  expect(Object.values(lanes).map(repeatsUnknown)).toEqual([true, true, false])
})

test("attempts come after 1, 5, 15 minutes, 1, 2, 4, 8, 16 hours, nine in all", () => {
  const rests = [minute, 5 * minute, 15 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 16 * hour]
  for (const [at, rest] of rests.entries()) expect(nextAttemptAt(1_000, at + 1)).toBe(1_000 + rest)
  expect(nextAttemptAt(1_000, 9)).toBeUndefined()
  expect(nextAttemptAt(1_000, 10)).toBeUndefined()
})

test("a transport may ask for a later attempt, not for an earlier one, nor for more of them", () => {
  expect(nextAttemptAt(1_000, 1, 1_000 + hour)).toBe(1_000 + hour)
  expect(nextAttemptAt(1_000, 1, 2_000)).toBe(1_000 + minute)
  expect(nextAttemptAt(1_000, 9, 1_000 + hour)).toBeUndefined()
})

const statusOrder = ["PENDING", "SENDING", "SENT", "DELIVERED", "OPENED", "CLICKED", "BOUNCED", "COMPLAINED"] as const
const final: readonly EmailStatus[] = ["FAILED", "CANCELLED", "RECEIVED"]

test("the status only rises, and a final one stays", () => {
  for (const from of emailStatuses)
    for (const to of statusOrder) {
      const climbs =
        !final.includes(from) && statusOrder.indexOf(to) > statusOrder.indexOf(from as (typeof statusOrder)[number])
      expect([from, to, raise(from, to, null)]).toEqual([from, to, climbs ? to : from])
      expect(raise(from, to, "550 no such user")).toBe(climbs ? to : from)
    }
})

test("a report settles a bulk message whose outcome was unknown", () => {
  expect(raise("FAILED", "DELIVERED", outcomeUnknown)).toBe("DELIVERED")
  expect(raise("FAILED", "BOUNCED", outcomeUnknown)).toBe("BOUNCED")
  expect(raise("FAILED", "PENDING", outcomeUnknown)).toBe("FAILED")
  expect(raise("CANCELLED", "DELIVERED", outcomeUnknown)).toBe("CANCELLED")
})
