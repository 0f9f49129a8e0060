import type { ConditionJson, FilterJson, Logic } from "../../../api/conditions.ts"
import { type Block, type Item, newBlock, newRule, type Rule } from "./draft.ts"
import { type FieldKind, fieldRef } from "./fields.ts"
import { canonical, needsOf, operatorsOf, type Unit, units } from "./operators.ts"
import { valueFrom } from "./values.ts"

/** A part of a condition that the builder cannot show: its path as the server writes it, and the reason. */
interface Unreadable {
  readonly path: string
  readonly message: string
}

type DraftReading = { readonly draft: Block } | { readonly faults: readonly Unreadable[] }

/** The draft of a condition, with as few blocks as possible. */
export function readCondition(sent: unknown): DraftReading {
  const faults: Unreadable[] = []
  const refuse = (path: string, message: string): null => {
    faults.push({ path, message })
    return null
  }

  function rootOf(node: unknown, path: string): Block | null {
    if (!isObject(node)) return refuse(path, "A condition is an object with logic and groups.")
    const { logic, groups } = node
    if (logic !== "AND" && logic !== "OR") return refuse(`${path}.logic`, "Either AND or OR.")
    if (!Array.isArray(groups) || groups.length === 0) {
      return refuse(`${path}.groups`, "One group or more.")
    }
    const parts = groups.map((group, index) => groupOf(group, `${path}.groups.${index}`))
    return joined(logic, parts)
  }

  function groupOf(node: unknown, path: string): Item[] {
    const { filters, conditions } = isObject(node) ? node : {}
    if (!Array.isArray(filters)) return refuse(`${path}.filters`, "A group has a list of filters.") ?? []
    const nested = conditions === undefined ? null : rootOf(conditions, `${path}.conditions`)
    const rules = filters.map((filter, index) => ruleOf(filter, `${path}.filters.${index}`))
    if (rules.length === 0 && conditions === undefined) refuse(path, "A group cannot be empty.")
    return [...rules, nested].filter((item) => item !== null)
  }

  function ruleOf(node: unknown, path: string): Rule | null {
    if (!isObject(node)) return refuse(path, "A filter is an object with field and operator.")
    const { field, operator } = node
    const ref = typeof field === "string" ? fieldRef(field) : null
    if (!ref || typeof field !== "string") return refuse(`${path}.field`, "There is no such field.")
    const known = typeof operator === "string" ? canonical(operator) : ""
    if (!operatorsOf(ref.kind).includes(known)) return refuse(`${path}.operator`, "Not for this field.")
    return readRule({ ...node, field, operator: known }, ref.kind)
  }

  const draft = rootOf(sent, "condition")
  return draft && faults.length === 0 ? { draft } : { faults }
}

/** The rule of a filter whose field and operator are known. */
export function readRule({ field, operator, value, unit }: FilterJson, kind: FieldKind): Rule {
  const rule = { ...newRule(), field, operator }
  if (needsOf(operator) !== "span") return { ...rule, value: valueFrom(value, kind) }
  return { ...rule, amount: typeof value === "number" ? String(value) : "", unit: unitOf(unit) }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const unitOf = (sent: unknown): Unit => units.find((unit) => unit === sent) ?? "days"

/**
 * Converts groups to items: joined by AND they are merged, by OR each is an item. A single group is joined by AND,
 * whatever its root says.
 */
function joined(logic: Logic, groups: readonly (readonly Item[])[]): Block {
  const [only, ...more] = groups
  if (only && more.length === 0) {
    const [single, ...rest] = only
    if (single?.is === "block" && rest.length === 0) return single
    return newBlock(only.length > 1 ? "AND" : logic, flattened("AND", only))
  }
  if (logic === "AND") return newBlock("AND", flattened("AND", groups.flat()))
  return newBlock(
    "OR",
    groups.flatMap((items) => {
      const [single, ...rest] = items
      if (single && rest.length === 0) return flattened("OR", [single])
      return [newBlock("AND", flattened("AND", items))]
    }),
  )
}

/** Dissolves blocks with the same logic as their parent. */
const flattened = (logic: Logic, items: readonly Item[]): Item[] =>
  items.flatMap((item) =>
    item.is === "block" && (item.logic === logic || item.items.length === 1) ? item.items : [item],
  )

/** The draft of a condition that the server has checked. */
export function draftOf(condition: ConditionJson): Block {
  const reading = readCondition(condition)
  return "draft" in reading ? reading.draft : newBlock("AND")
}
