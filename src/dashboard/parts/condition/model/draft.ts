import { type Logic, otherLogic } from "../../../api/conditions.ts"
import { fieldRef } from "./fields.ts"
import { type DataType, operatorsFor, type Unit } from "./operators.ts"
import { asKind, blank, type Value, valueKindsOf } from "./values.ts"

/** A line of the builder: one filter, complete or not yet. */
export interface Rule {
  readonly is: "rule"
  /** Stays the same while the rule is edited. */
  readonly id: string
  /** As in a filter; `""` until one is chosen. */
  readonly field: string
  /** Canonical. */
  readonly operator: string
  readonly value: Value
  /** The amount of a span, as typed. */
  readonly amount: string
  readonly unit: Unit
}

/** Lines joined by the same logic. Nested blocks are groups with nested roots on the wire. */
export interface Block {
  readonly is: "block"
  readonly id: string
  readonly logic: Logic
  readonly items: readonly Item[]
}

export type Item = Rule | Block

const freshId = (): string => Math.random().toString(36).slice(2)

export const newRule = (): Rule => ({
  is: "rule",
  id: freshId(),
  field: "",
  operator: "equals",
  value: blank("string"),
  amount: "30",
  unit: "days",
})

export const newBlock = (logic: Logic, items: readonly Item[] = [newRule()]): Block => ({
  is: "block",
  id: freshId(),
  logic,
  items,
})

/** The rule with another field, keeping as much as possible. */
export function aboutField(rule: Rule, field: string, type: DataType): Rule {
  const ref = fieldRef(field)
  if (!ref) return { ...rule, field }
  const before = fieldRef(rule.field)
  const offered = operatorsFor(ref.kind, type, "")
  const isAlike = before?.kind === ref.kind && offered.includes(rule.operator)
  const operator = isAlike ? rule.operator : (offered[0] ?? rule.operator)
  const kinds = valueKindsOf(ref.kind, operator)
  const kind = type && kinds.includes(type) ? type : (kinds[0] ?? "string")
  // values of different fields rarely agree
  return { ...rule, field, operator, value: rule.field === field ? asKind(rule.value, kind) : blank(kind) }
}

/** The rule with another operator, and a value that fits it. */
export function withOperator(rule: Rule, operator: string, type: DataType): Rule {
  const ref = fieldRef(rule.field)
  const kinds = ref ? valueKindsOf(ref.kind, operator) : []
  if (kinds.length === 0 || kinds.includes(rule.value.kind)) return { ...rule, operator }
  const kind = type && kinds.includes(type) ? type : (kinds[0] ?? "string")
  return { ...rule, operator, value: asKind(rule.value, kind) }
}

/** The block with one of its items, at any depth, replaced; null removes it, and blocks that become empty. */
export function editItem(block: Block, id: string, edit: (item: Item) => Item | null): Block {
  return editWithin(block, id, edit) ?? { ...block, items: [] }
}

function editWithin(block: Block, id: string, edit: (item: Item) => Item | null): Block | null {
  if (block.id === id) return asBlock(edit(block))
  const items = block.items.flatMap((item) => {
    const edited = item.id === id ? edit(item) : item.is === "block" ? editWithin(item, id, edit) : item
    return edited ? [edited] : []
  })
  if (items.length === 0) return null
  return items.every((item, index) => item === block.items[index]) && items.length === block.items.length
    ? block
    : { ...block, items }
}

const asBlock = (item: Item | null): Block | null => (item?.is === "block" ? item : null)

export const addTo = (root: Block, blockId: string, added: Item): Block =>
  editItem(root, blockId, (item) => (item.is === "block" ? { ...item, items: [...item.items, added] } : item))

/** Inserts a copy of a rule after it. */
export const duplicate = (root: Block, rule: Rule): Block => insertBehind(root, rule.id, { ...rule, id: freshId() })

function insertBehind(block: Block, id: string, added: Rule): Block {
  return {
    ...block,
    items: block.items.flatMap((item) => {
      if (item.id === id) return [item, added]
      return [item.is === "block" ? insertBehind(item, id, added) : item]
    }),
  }
}

/** Adds an alternative to a rule: both become a block of the other logic in its place. */
export const withAlternative = (root: Block, rule: Rule, logic: Logic): Block =>
  editItem(root, rule.id, (item) => newBlock(otherLogic(logic), [item, newRule()]))

export const rulesOf = (block: Block): readonly Rule[] =>
  block.items.flatMap((item) => (item.is === "rule" ? [item] : rulesOf(item)))
