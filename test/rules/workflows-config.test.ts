import { describe, expect, test } from "bun:test"
import { configFaults, templateIdFaults } from "../../src/modules/workflows/config.ts"
import { matchesEvent } from "../../src/modules/workflows/event-filter.ts"
import type { StepConfig } from "../../src/modules/workflows/table.ts"

const now = Date.parse("2026-03-01T12:00:00Z")
const filter = (...filters: object[]) => ({ logic: "AND", groups: [{ filters }] })
const over100 = filter({ field: "event.amount", operator: "greaterThan", value: 100 })
const wait = (sent: unknown) => configFaults("WAIT_FOR_EVENT", { eventName: "buy", filter: sent })
const codes = (faults: readonly { field: string; code: string }[]) => faults.map(({ field, code }) => [field, code])

describe("The filter of a WAIT_FOR_EVENT step (contract B5.4.10)", () => {
  test.each([
    [over100, { amount: 150 }, true],
    [over100, { amount: 100 }, false],
    [over100, { amount: "150" }, false],
    [over100, {}, false],
    [filter({ field: "event.item.kind", operator: "equals", value: "book" }), { item: { kind: "book" } }, true],
    [filter({ field: "event.coupon", operator: "notExists" }), { amount: 1 }, true],
    [filter({ field: "event.at", operator: "within", value: 1, unit: "hours" }), { at: "2026-03-01T11:30:00Z" }, true],
    [filter({ field: "event.at", operator: "within", value: 1, unit: "hours" }), { at: "2026-03-01T10:30:00Z" }, false],
    [
      {
        logic: "OR",
        groups: [
          { filters: [{ field: "event.a", operator: "equals", value: 1 }] },
          { filters: [], conditions: filter({ field: "event.b", operator: "contains", value: "x" }) },
        ],
      },
      { a: 2, b: "AXE" },
      true,
    ],
    [undefined, {}, true],
    [null, {}, true],
    ["nonsense", {}, false],
    [{ logic: "AND", groups: [] }, {}, false],
  ])("%j on %j: %p", (sent, data, matches) => {
    expect(matchesEvent(sent, data, now)).toBe(matches)
  })

  test("has every fault under its path", () => {
    expect(wait(over100)).toEqual([])
    expect(codes(wait(filter({ field: "data.plan", operator: "equals", value: 1 })))).toEqual([
      ["config.filter.groups.0.filters.0.field", "invalid_string"],
    ])
    expect(codes(wait(filter({ operator: "equals", value: 1 }, { field: "event.a", operator: "triggered" })))).toEqual([
      ["config.filter.groups.0.filters.0.field", "required"],
      ["config.filter.groups.0.filters.1.operator", "invalid_enum"],
    ])
    expect(codes(wait("event.a"))).toEqual([["config.filter", "invalid_type"]])
    expect(codes(wait({ logic: "XOR", groups: [] }))).toEqual([
      ["config.filter.logic", "invalid_enum"],
      ["config.filter.groups", "too_small"],
    ])
  })

  test("is at most ten levels deep, on event fields at each of them", () => {
    const nested = (levels: number): object =>
      levels === 1
        ? filter({ field: "event.a", operator: "equals", value: 1 })
        : { logic: "AND", groups: [{ filters: [], conditions: nested(levels - 1) }] }
    expect(wait(nested(10))).toEqual([])
    expect(matchesEvent(nested(10), { a: 1 }, now)).toBe(true)
    expect(wait(nested(11))[0]?.code).toBe("too_big")
  })
})

describe("The faults of a CONDITION step (contract B5.4.5, A1.7)", () => {
  const branch = { id: "a", operator: "exists" }
  test.each<[object, [string, string][]]>([
    [
      {},
      [
        ["config.field", "required"],
        ["config.operator", "required"],
      ],
    ],
    [
      { field: 1, operator: 2 },
      [
        ["config.field", "invalid_type"],
        ["config.operator", "invalid_type"],
      ],
    ],
    [{ field: "plan", operator: "exists" }, [["config.field", "invalid_string"]]],
    [{ mode: "multi", field: "data.x" }, [["config.branches", "required"]]],
    [{ mode: "multi", field: "data.x", branches: {} }, [["config.branches", "invalid_type"]]],
    [{ mode: "multi", field: "data.x", branches: [branch, branch] }, [["config.branches.1.id", "custom"]]],
    [
      { mode: "multi", field: "data.x", branches: [{}] },
      [
        ["config.branches.0.id", "required"],
        ["config.branches.0.operator", "required"],
      ],
    ],
    [
      { mode: "multi", branches: [{ ...branch, id: 5, name: 5 }] },
      [
        ["config.field", "required"],
        ["config.branches.0.id", "invalid_type"],
        ["config.branches.0.name", "invalid_type"],
      ],
    ],
  ])("%j", (config, faults) => {
    expect(codes(configFaults("CONDITION", config as StepConfig))).toEqual(faults)
  })
})

test("the recipient of a mail has a type (contract B5.4.2)", () => {
  const faultsOf = (recipient: object) => codes(configFaults("SEND_EMAIL", { recipient }))
  expect(faultsOf({})).toEqual([["config.recipient.type", "required"]])
  expect(faultsOf({ type: null })).toEqual([["config.recipient.type", "required"]])
  expect(faultsOf({ type: 5 })).toEqual([["config.recipient.type", "invalid_type"]])
  expect(faultsOf({ type: "LIST" })).toEqual([["config.recipient.type", "invalid_enum"]])
  expect(faultsOf({ type: "CONTACT" })).toEqual([])
})

test.each<["DELAY" | "WEBHOOK" | "UPDATE_CONTACT", object, string]>([
  ["DELAY", { amount: 1, unit: 1 }, "config.unit"],
  ["WEBHOOK", { url: "https://a.test", method: 5 }, "config.method"],
  ["UPDATE_CONTACT", { updates: { a: 1 }, subscriptionAction: 5 }, "config.subscriptionAction"],
])("%s: a choice of another type is invalid_type: %j (contract A1.7)", (type, config, field) => {
  expect(codes(configFaults(type, config as StepConfig))).toEqual([[field, "invalid_type"]])
})

describe("The amount of a DELAY step (contract B5.4.3)", () => {
  const faultsOf = (amount: number, unit: string) => codes(configFaults("DELAY", { amount, unit }))

  test.each([
    [1e-9, "minutes"],
    [0.0002, "hours"],
    [1e-5, "days"],
    [525_600, "minutes"],
    [365, "days"],
  ])("%p %s is accepted", (amount, unit) => {
    expect(faultsOf(amount, unit)).toEqual([])
  })

  test.each([
    [0, "hours", "too_small"],
    [-1, "days", "too_small"],
    [8_760.1, "hours", "too_big"],
  ])("%p %s is refused", (amount, unit, code) => {
    expect(faultsOf(amount, unit)).toEqual([["config.amount", code]])
  })

  test("an unknown unit is the only fault of a small amount", () => {
    expect(faultsOf(1e-9, "weeks")).toEqual([["config.unit", "invalid_enum"]])
  })
})

describe("The URL of a WEBHOOK step (contract B5.8.1)", () => {
  const faultsOf = (url: string) => configFaults("WEBHOOK", { url })

  test.each([
    "https://user:secret@a.test/hook",
    "https://user@a.test/",
    "https://:secret@a.test/",
    "https://user:secret@a.test/{{data.id}}",
    "https://{{user}}:{{secret}}@a.test/",
  ])("%s is refused, because it shows a password and is never requested", (url) => {
    const message = "config.url must have no user and no password: use the header Authorization."
    expect(faultsOf(url)).toEqual([{ field: "config.url", code: "invalid_string", message }])
  })

  test.each(["https://a.test/user@b.test", "https://a.test/?mail={{email}}", "{{data.url}}", "https://{{host}}/a@b"])(
    "%s is accepted",
    (url) => {
      expect(faultsOf(url)).toEqual([])
    },
  )
})

describe("Headers of a WEBHOOK step (contract B5.8.6)", () => {
  const faultsOf = (headers: object) => codes(configFaults("WEBHOOK", { url: "https://a.test", headers }))

  test.each([
    { "X-Key": "a\r\nHost: b" },
    { "X-Key": "a\nb" },
    { "X-Key": "a\0b" },
    { "X-Key\r\nHost": "a" },
    { "X Key": "a" },
    { "": "a" },
    { Host: "a.test" },
    { "content-LENGTH": "1" },
    { "Transfer-Encoding": "chunked" },
    { "X-Key": "a\u0085b" },
  ])("%j is refused", (headers) => {
    expect(faultsOf(headers)).toEqual([["config.headers", "invalid_string"]])
  })

  test("others are accepted, templates and all letters among them", () => {
    expect(faultsOf({ Authorization: "Bearer {{data.key}}", "x_y.z": "", "Content-Type": "text/plain" })).toEqual([])
    expect(faultsOf({ "X-Key": "ü 漢 😀" })).toEqual([])
  })
})

test("A template that is none is told in one sentence", () => {
  const [fault] = configFaults("WEBHOOK", { url: "https://a.test/{{ }" })
  expect(fault?.message).toBe("config.url is not a valid template: The tag opened here is never closed.")
})

describe("Limits of a config (contract B5.3.7)", () => {
  const body = (value: unknown) => codes(configFaults("WEBHOOK", { url: "https://a.test", body: value }))

  test("65,536 bytes", () => {
    expect(body("a".repeat(65_000))).toEqual([])
    expect(body("ä".repeat(33_000))).toEqual([["config", "too_big"]])
  })

  test("50 levels, however deep it is", () => {
    const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels))
    expect(body(nested(49))).toEqual([])
    expect(body(nested(51))).toEqual([["config", "too_big"]])
    expect(body(nested(30_000))).toEqual([["config", "too_big"]])
  })

  test("1,000 tags", () => {
    expect(body("{{a}}".repeat(1_000))).toEqual([])
    expect(body(["{{a}}".repeat(600), "{{a}}".repeat(401)])).toEqual([["config", "too_big"]])
  })
})

test("Only a SEND_EMAIL step needs a template", () => {
  expect(codes(templateIdFaults("SEND_EMAIL", undefined))).toEqual([["config.templateId", "required"]])
  expect(codes(templateIdFaults("SEND_EMAIL", 7))).toEqual([["config.templateId", "invalid_type"]])
  expect(codes(templateIdFaults("SEND_EMAIL", "x"))).toEqual([["config.templateId", "invalid_string"]])
  expect(templateIdFaults("EXIT", undefined)).toEqual([])
})
