import type { ConditionJson, FilterJson, GroupJson } from "../../../api/conditions.ts"
import type { Block, Item, Rule } from "./draft.ts"
import { fieldRef } from "./fields.ts"
import { mostUnits, needsOf } from "./operators.ts"
import { readValue } from "./values.ts"

/** The part of a rule that a fault is about. */
type Part = "field" | "operator" | "value" | "unit"

export interface RuleFault {
  readonly part: Part
  readonly message: string
}

/** The condition of a draft, with the path of each of its rules. */
interface Writing {
  readonly condition: ConditionJson
  /** Why a rule is not valid yet, by its id. */
  readonly faults: ReadonlyMap<string, RuleFault>
  /** The ids of rules by their path: `condition.groups.0.filters.1`. */
  readonly ruleIds: ReadonlyMap<string, string>
}

export function writeCondition(draft: Block): Writing {
  const faults = new Map<string, RuleFault>()
  const ruleIds = new Map<string, string>()

  const write = (rule: Rule, path: string): FilterJson => {
    ruleIds.set(path, rule.id)
    const { filter, fault } = filterOf(rule)
    if (fault) faults.set(rule.id, fault)
    return filter
  }

  function rootOf(block: Block, path: string): ConditionJson {
    const groups: GroupJson[] = []
    const items = block.items.map(simplest).filter((item) => item !== null)
    const add = (part: readonly Item[]) => {
      groups.push(groupOf(part, `${path}.groups.${groups.length}`))
    }
    if (block.logic === "OR") for (const item of items) add(asGroup(item) ?? [item])
    else for (const part of stretches(items)) add(part)
    return { logic: block.logic, groups }
  }

  /** Rules, followed by at most one block. */
  function groupOf(items: readonly Item[], path: string): GroupJson {
    const rules = items.filter((item) => item.is === "rule")
    const nested = items.find((item) => item.is === "block")
    return {
      filters: rules.map((rule, index) => write(rule, `${path}.filters.${index}`)),
      ...(nested ? { conditions: rootOf(nested, `${path}.conditions`) } : {}),
    }
  }

  const root = outermost(draft)
  return { condition: rootOf(root, "condition"), faults, ruleIds }
}

/** Removes blocks that contain only another block. */
function outermost(block: Block): Block {
  const only = block.items.length === 1 ? block.items[0] : undefined
  return only?.is === "block" ? outermost(only) : block
}

/** An item without redundant blocks; null for an empty one. */
function simplest(item: Item): Item | null {
  if (item.is === "rule") return item
  const inner = item.items.map(simplest).filter((part) => part !== null)
  if (inner.length <= 1) return inner[0] ?? null
  return { ...item, items: inner }
}

/** The items of a block that fits in one group: it is joined by AND, and has only rules and one block at its end. */
function asGroup(item: Item): readonly Item[] | null {
  if (item.is === "rule" || item.logic === "OR") return null
  const blocks = item.items.filter(({ is }) => is === "block")
  const isLast = item.items.at(-1)?.is === "block"
  return blocks.length === 0 || (blocks.length === 1 && isLast) ? item.items : null
}

/** The items of an AND block, spread over groups: a group takes one nested condition. */
function stretches(items: readonly Item[]): Item[][] {
  const all: Item[][] = []
  let open: Item[] | null = null
  for (const item of items) {
    if (!open) {
      open = []
      all.push(open)
    }
    open.push(item)
    if (item.is === "block") open = null
  }
  return all
}

/** The filter of a rule, and why it is not valid yet. */
export function filterOf(rule: Rule): { filter: FilterJson; fault?: RuleFault } {
  const { field, operator, unit } = rule
  const filter = { field, operator }
  const ref = fieldRef(field)
  if (!ref) {
    const message = field === "" ? "Choose what this is about." : "There is no such field."
    return { filter, fault: { part: "field", message } }
  }
  switch (needsOf(operator)) {
    case "nothing":
      return { filter }
    case "span": {
      const amount = rule.amount.trim() === "" ? Number.NaN : Number(rule.amount)
      if (amount >= 0 && amount <= mostUnits) return { filter: { ...filter, value: amount, unit } }
      return { filter, fault: { part: "value", message: `A number from 0 to ${mostUnits.toLocaleString("en")}.` } }
    }
    case "value": {
      const reading = readValue(rule.value, ref.kind)
      if ("json" in reading) return { filter: { ...filter, value: reading.json } }
      return { filter, fault: { part: "value", message: reading.fault } }
    }
  }
}
