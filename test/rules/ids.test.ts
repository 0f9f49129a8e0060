import { describe, expect, test } from "bun:test"
import { bytesOfId, idOfBytes, maxId, nilId, uuidsOfManual } from "../../src/kernel/ids.ts"
import { createFakeClock } from "../harness/fake-clock.ts"

describe("The ids of a clock that stands still", () => {
  const clock = createFakeClock(Date.parse("2026-01-01T00:00:00Z"))
  const real = createFakeClock(Date.parse("2026-11-24T00:00:00Z"))
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

  test("are different UUIDs of version 7 in their order, also many in a millisecond", () => {
    const ids = uuidsOfManual(clock, real)
    const made = Array.from({ length: 10_000 }, () => ids.next())
    expect(made.every((id) => form.test(id))).toBe(true)
    expect(made).toEqual(made.toSorted())
    expect(new Set(made).size).toBe(made.length)
    expect(made[0]?.replaceAll("-", "").slice(0, 12)).toBe(clock.now().toString(16).padStart(12, "0"))
  })

  test("sort after those before a restart, and by the clock before the real time", async () => {
    const before = uuidsOfManual(clock, real).next()
    await real.advance(1)
    const restarted = uuidsOfManual(clock, real)
    const after = restarted.next()
    await clock.advance(1)
    const later = restarted.next()
    expect([later, before, after].toSorted()).toEqual([before, after, later])
  })
})

describe("The bytes of an id", () => {
  const made = Array.from({ length: 1_000 }, () => Bun.randomUUIDv7()).concat(nilId, maxId)

  test("are its 16, give it back, and sort as it does", () => {
    const bytes = made.map((id) => bytesOfId(id) as Uint8Array)
    expect(bytes.every((one) => one.length === 16)).toBe(true)
    expect(bytes.map(idOfBytes)).toEqual(made)
    expect(bytes.toSorted(Buffer.compare).map(idOfBytes)).toEqual(made.toSorted())
  })

  test.each([
    "",
    "all",
    "0199c0de-0000-7000-8000-00000000000G",
    "0199C0DE-0000-7000-8000-000000000001",
    "0199c0de-0000-7000-8000_000000000001",
    "0199c0de00007000800000000000000100001",
  ])("are not made of %j, which stays as it is", (text) => {
    expect([bytesOfId(text), idOfBytes(text)]).toEqual([text, text])
  })
})
