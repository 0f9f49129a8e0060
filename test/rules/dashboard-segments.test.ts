import { describe, expect, test } from "bun:test"
import type { ConditionJson, FilterJson } from "../../src/dashboard/api/conditions.ts"
import {
  aboutField,
  addTo,
  duplicate,
  editItem,
  newBlock,
  newRule,
  type Rule,
  rulesOf,
  withAlternative,
  withOperator,
} from "../../src/dashboard/parts/condition/model/draft.ts"
import { fieldRef } from "../../src/dashboard/parts/condition/model/fields.ts"
import { formatOperator, operatorsFor, operatorsOf } from "../../src/dashboard/parts/condition/model/operators.ts"
import { draftOf, readCondition } from "../../src/dashboard/parts/condition/model/read.ts"
import { formatCondition } from "../../src/dashboard/parts/condition/model/sentence.ts"
import { writeCondition } from "../../src/dashboard/parts/condition/model/write.ts"

const segment = "0199c0de-0000-7000-8000-00000000000a"
const a: FilterJson = { field: "email", operator: "contains", value: "acme" }
const b: FilterJson = { field: "data.plan", operator: "equals", value: "pro" }
const c: FilterJson = { field: "event.buy", operator: "triggeredWithin", value: 7, unit: "days" }
const d: FilterJson = { field: `segment.${segment}`, operator: "memberOfSegment" }
const group = (...filters: FilterJson[]) => ({ filters })
const and = (...groups: ConditionJson["groups"]): ConditionJson => ({ logic: "AND", groups })
const or = (...groups: ConditionJson["groups"]): ConditionJson => ({ logic: "OR", groups })
const again = (condition: ConditionJson) => writeCondition(draftOf(condition)).condition
const nameOf = (id: string) => (id === segment ? "VIPs" : null)

describe("a field", () => {
  test.each([
    ["email", "email", "email"],
    ["createdAt", "time", "createdAt"],
    ["data.profile.tier", "data", "profile.tier"],
    ["event.plan.up", "event", "plan.up"],
    ["event.email.open", "event", "email.open"],
    ["email.open", "activity", "opened"],
    ["email.complained", "activity", "complained"],
    [`segment.${segment}`, "segment", segment],
  ])("%s is read as %s", (field, kind, name) => {
    expect(fieldRef(field)).toEqual({ kind, name } as ReturnType<typeof fieldRef>)
  })

  test.each(["", "plan", "data.", "data..x", "data.x.", "event.", "email.read", "email.constructor", "segment.x"])(
    "%j is of no row",
    (field) => {
      expect(fieldRef(field)).toBeNull()
    },
  )
})

describe("operators", () => {
  test("fit the type of a custom field, and include the present one", () => {
    expect(operatorsFor("data", "boolean", "equals")).toEqual(["equals", "notEquals", "exists", "notExists"])
    expect(operatorsFor("data", "boolean", "greaterThan")).toContain("greaterThan")
    expect(operatorsFor("data", "string", "triggered")).not.toContain("triggered")
    expect([...operatorsFor("data", undefined, "equals")].sort()).toEqual([...operatorsOf("data")].sort())
  })

  test("have texts that depend on the field", () => {
    expect(formatOperator("greaterThan", "data", "number")).toBe("is more than")
    expect(formatOperator("greaterThan", "data", "date")).toBe("after")
    expect(formatOperator("triggeredWithin", "activity", undefined)).toBe("in the last")
  })
})

describe("a condition", () => {
  test.each([
    ["one filter", and(group(a))],
    ["one filter under or", or(group(a))],
    ["several filters", and(group(a, b, c))],
    ["alternatives", or(group(a), group(b), group(d))],
    ["alternatives of several filters", or(group(a, b), group(c))],
    ["filters and alternatives", and({ filters: [a], conditions: or(group(b), group(c)) })],
    [
      "two lists of alternatives",
      and({ filters: [], conditions: or(group(a), group(b)) }, { filters: [c], conditions: or(group(d), group(a)) }),
    ],
    [
      "alternatives inside of alternatives",
      or({ filters: [a], conditions: or(group(b), { filters: [c, d], conditions: or(group(a), group(b)) }) }, group(d)),
    ],
  ])("of %s is unchanged by the builder", (_, condition) => {
    expect(again(condition)).toEqual(condition)
  })

  test.each([
    ["groups joined by and", and(group(a), group(b)), and(group(a, b))],
    ["an or of one group", or(group(a, b)), and(group(a, b))],
    ["a root around a root", and({ filters: [], conditions: or(group(a), group(b)) }), or(group(a), group(b))],
    ["and within and", and({ filters: [a], conditions: and(group(b), group(c)) }), and(group(a, b, c))],
    [
      "or within or",
      or(group(a), { filters: [], conditions: or(group(b), group(c)) }),
      or(group(a), group(b), group(c)),
    ],
    ["a nested root of one filter", and({ filters: [a], conditions: or(group(b)) }), and(group(a, b))],
  ])("of %s is simplified", (_, condition, wanted) => {
    expect(again(condition)).toEqual(wanted)
  })

  test("keeps values as they were typed in JSON", () => {
    const values = ["pro", "5", 5, -1.5, true, false, null, "", "2026-01-31", "2025-05-16T01:30:00+02:00"]
    const condition = and(group(...values.map((value) => ({ field: "data.x", operator: "equals", value }))))
    expect(again(condition)).toEqual(condition)
    const when = and(group({ field: "createdAt", operator: "equals", value: "2025-05-16T01:30:00+02:00" }))
    expect(again(when)).toEqual(when)
  })

  test.each([
    [null, "condition"],
    [{ groups: [] }, "condition.logic"],
    [{ logic: "AND", groups: [] }, "condition.groups"],
    [and({ filters: [] }), "condition.groups.0"],
    [{ logic: "AND", groups: [{}] }, "condition.groups.0.filters"],
    [and(group(a, { field: "plan", operator: "equals", value: 1 })), "condition.groups.0.filters.1.field"],
    [and(group(a), group({ field: "email", operator: "gt", value: 1 })), "condition.groups.1.filters.0.operator"],
    [and({ filters: [], conditions: { logic: "XOR" } as never }), "condition.groups.0.conditions.logic"],
  ])("%# that cannot be shown has the path of the fault", (sent, path) => {
    const reading = readCondition(sent)
    expect("faults" in reading && reading.faults.map((fault) => fault.path)).toEqual([path])
  })

  test("maps paths to rules", () => {
    const draft = draftOf(or({ filters: [a], conditions: or(group(b), group(c)) }, group(d)))
    const fields = new Map(rulesOf(draft).map(({ id, field }) => [id, field]))
    const { ruleIds } = writeCondition(draft)
    expect([...ruleIds].map(([path, id]) => [path, fields.get(id)])).toEqual([
      ["condition.groups.0.filters.0", "email"],
      ["condition.groups.0.conditions.groups.0.filters.0", "data.plan"],
      ["condition.groups.0.conditions.groups.1.filters.0", "event.buy"],
      ["condition.groups.1.filters.0", d.field],
    ])
  })
})

describe("a rule", () => {
  const about = (field: string, type?: "string" | "number" | "boolean" | "date") => aboutField(newRule(), field, type)
  const faultOf = (rule: Rule) => {
    const { faults } = writeCondition(newBlock("AND", [rule]))
    return faults.get(rule.id)
  }
  const filterOf = (rule: Rule) => writeCondition(newBlock("AND", [rule])).condition.groups[0]?.filters[0]

  test("takes operator and value from its field", () => {
    expect(about("data.score", "number")).toMatchObject({ operator: "equals", value: { kind: "number" } })
    expect(about("createdAt")).toMatchObject({ operator: "within", amount: "30", unit: "days" })
    expect(about("event.buy")).toMatchObject({ operator: "triggeredWithin" })
    expect(filterOf(about("subscribed"))).toEqual({ field: "subscribed", operator: "equals", value: true })
    expect(filterOf(about(`segment.${segment}`))).toEqual(d)
  })

  test("keeps the operator when the new field is of the same kind, and the value when the new operator accepts it", () => {
    const rule = {
      ...withOperator(about("data.plan", "string"), "notEquals", "string"),
      value: { kind: "string", text: "pro", on: true } as const,
    }
    expect(aboutField(rule, "data.tier", "string").operator).toBe("notEquals")
    expect(withOperator(rule, "contains", "string").value.text).toBe("pro")
    const number = withOperator({ ...rule, value: { kind: "number", text: "5", on: true } }, "contains", "number")
    expect(number.value).toMatchObject({ kind: "string", text: "5" })
  })

  test.each([
    [newRule(), "field"],
    [{ ...newRule(), field: "data." }, "field"],
    [about("email"), "value"],
    [{ ...about("data.n", "number"), value: { kind: "number", text: "1,5", on: true } }, "value"],
    [{ ...about("data.n", "number"), value: { kind: "number", text: "9007199254740993", on: true } }, "value"],
    [{ ...about("data.n", "number"), value: { kind: "number", text: "9007199254740991", on: true } }, undefined],
    [
      { ...about("data.at", "date"), operator: "equals", value: { kind: "date", text: "2025-02-30", on: true } },
      "value",
    ],
    [{ ...about("createdAt"), amount: "" }, "value"],
    [{ ...about("createdAt"), amount: "-1" }, "value"],
    [{ ...about("createdAt"), amount: "100001" }, "value"],
    [{ ...about("event.buy"), amount: "0" }, undefined],
    [about("subscribed"), undefined],
  ] as const)("%# says what is missing of it", (rule, part) => {
    expect(faultOf(rule)?.part).toBe(part as never)
  })

  test("gets an alternative, a copy after it, and leaves no empty block", () => {
    const first = about("subscribed")
    const second = about("createdAt")
    const root = newBlock("AND", [first, second])
    const block = withAlternative(root, second, "AND")
    const [, both] = block.items
    if (both?.is !== "block") throw new Error("no block")
    expect(both).toMatchObject({ logic: "OR", items: [second, { field: "" }] })
    expect(duplicate(block, first).items.map(({ is }) => is)).toEqual(["rule", "rule", "block"])
    const without = both.items.map(({ id }) => id).reduce((rest, id) => editItem(rest, id, () => null), block)
    expect(without.items).toEqual([first])
    expect(addTo(without, without.id, second).items).toEqual([first, second])
    expect(editItem(root, "nobody", () => null)).toBe(root)
  })
})

describe("a sentence", () => {
  test.each([
    [and(group(a, b)), "email contains “acme” and plan is “pro”"],
    [or(group(a, b), group(d)), "(email contains “acme” and plan is “pro”) or in VIPs"],
    [
      and({ filters: [a], conditions: or(group(b), group(c)) }),
      "email contains “acme” and (plan is “pro” or “buy” happened in the last 7 days)",
    ],
    [
      and(group(a), { filters: [], conditions: or(group(b), group(d)) }),
      "email contains “acme” and (plan is “pro” or in VIPs)",
    ],
    [and({ filters: [], conditions: or(group(b), group(d)) }), "plan is “pro” or in VIPs"],
  ])("%# has parentheses where they matter", (condition, wanted) => {
    expect(formatCondition(condition, nameOf)).toBe(wanted)
  })

  // Dates have the format of the browser's language, which here is that of the machine.
  const firstOfJune = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" }).format(
    new Date("2025-06-01"),
  )

  test.each([
    [{ field: "subscribed", operator: "notEquals", value: true }, "is not subscribed"],
    [{ field: "createdAt", operator: "olderThan", value: 1, unit: "days" }, "created more than 1 day ago"],
    [{ field: "updatedAt", operator: "lessThan", value: "2025-06-01" }, `changed before ${firstOfJune}`],
    [{ field: "data.score", operator: "gt", value: 5 }, "score is more than 5"],
    [{ field: "data.since", operator: "greaterThan", value: "2025-06-01" }, `since after ${firstOfJune}`],
    [{ field: "data.plan", operator: "notExists" }, "has no plan"],
    [{ field: "data.vip", operator: "equals", value: null }, "vip is nothing"],
    [
      { field: "event.buy", operator: "triggeredOlderThan", value: 30, unit: "days" },
      "“buy” last happened more than 30 days ago",
    ],
    [{ field: "email.click", operator: "notTriggered" }, "never clicked in an email"],
    [
      { field: "email.opened", operator: "notTriggeredWithin", value: 90, unit: "days" },
      "opened no email in the last 90 days",
    ],
    [{ field: `segment.${segment.replace("a", "b")}`, operator: "notMemberOfSegment" }, "not in a deleted segment"],
  ])("%# describes a filter", (filter, wanted) => {
    expect(formatCondition(and(group(filter)), nameOf)).toBe(wanted)
  })
})
