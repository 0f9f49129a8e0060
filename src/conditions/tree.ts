import type { Fault } from "../kernel/errors.ts"
import { isObject, type Json } from "../kernel/json.ts"
import { createFaults, type Faults, isMissing } from "./faults.ts"
import { type Filter, type FilterParsing, parseFilter, type SegmentReference } from "./filter.ts"

/** A condition ready to be evaluated: a root of the tree (contract B2.1). */
export interface Condition {
  readonly logic: Logic
  readonly groups: readonly Group[]
}

/** True when all filters and the nested root are. */
export interface Group {
  readonly filters: readonly Filter[]
  readonly conditions: Condition | null
}

export type Logic = "AND" | "OR"

/** A condition as clients send and receive it. */
export interface ConditionJson {
  logic: Logic
  groups: GroupJson[]
}

export interface GroupJson {
  filters: FilterJson[]
  conditions?: ConditionJson | null
}

export interface FilterJson {
  field: string
  operator: string
  value?: Json
  unit?: Json
}

export type ParsedCondition =
  | { readonly tree: Condition; readonly stored: ConditionJson; readonly segments: readonly SegmentReference[] }
  | { readonly faults: readonly Fault[]; readonly segments: readonly SegmentReference[] }

const maxLevels = 10
const maxFilters = 200
/** Of all fields together: as many as a condition may have bytes as JSON. A path is split at each dot. */
const maxFieldCharacters = 262_144

/**
 * Parses a condition that was sent under `path`. Returns the tree for evaluation and the stored form, which is the
 * input without unknown keys; or all faults (contract B2.5). Does not check whether its segments exist.
 */
export function parseCondition(value: unknown, path: string): ParsedCondition {
  const faults = createFaults()
  const segments: SegmentReference[] = []
  const tree = parseRoot(value, path, 1, { faults, segments, filterCount: 0, fieldCharacters: 0 })
  if (tree === undefined || faults.list.length > 0) return { faults: faults.list, segments }
  return { tree, stored: storedRoot(value as ConditionJson), segments }
}

/** Parses a stored condition, which was validated when it was stored, possibly with wider limits. */
export function readCondition(stored: ConditionJson): Condition {
  const faults = createFaults()
  const tree = parseRoot(stored, "condition", 1, { faults, segments: [], filterCount: 0, fieldCharacters: 0 })
  if (tree !== undefined && faults.list.every(({ code }) => code === "too_big")) return tree
  throw new Error(`A stored condition is not valid: ${faults.list[0]?.message}`)
}

interface Parsing extends FilterParsing {
  filterCount: number
  fieldCharacters: number
}

/** Undefined after a fault anywhere below it; the caller reads the faults. */
function parseRoot(sent: unknown, at: string, level: number, parsing: Parsing): Condition | undefined {
  const { faults } = parsing
  if (!isObject(sent)) return void faults.addMismatch(at, sent, "an object")
  if (level > maxLevels) return void faults.add(at, "too_big", `is nested deeper than ${maxLevels} levels`)
  const logic = parseLogic(sent.logic, `${at}.logic`, faults)
  const groups = parseList(sent.groups, `${at}.groups`, faults, (group, path) =>
    parseGroup(group, path, level, parsing),
  )
  if (isEmpty(sent.groups)) faults.add(`${at}.groups`, "too_small", "must have a group")
  return logic && groups && { logic, groups }
}

function parseLogic(sent: unknown, at: string, faults: Faults): Logic | undefined {
  if (sent === "AND" || sent === "OR") return sent
  if (typeof sent === "string") faults.add(at, "invalid_enum", "must be one of AND, OR")
  else faults.addMismatch(at, sent, "a string")
  return undefined
}

function parseGroup(sent: unknown, at: string, level: number, parsing: Parsing): Group | undefined {
  const { faults } = parsing
  if (!isObject(sent)) return void faults.addType(at, sent, "an object")
  const filters = parseList(sent.filters, `${at}.filters`, faults, (filter, path, list) =>
    countFilter(parsing, list) && countField(parsing, filter, path) ? parseFilter(filter, path, parsing) : undefined,
  )
  const isNested = !isMissing(sent.conditions)
  if (isEmpty(sent.filters) && !isNested) faults.add(at, "too_small", "must have a filter or conditions")
  const conditions = isNested ? parseRoot(sent.conditions, `${at}.conditions`, level + 1, parsing) : null
  return filters && conditions !== undefined ? { filters, conditions } : undefined
}

/** Whether one more filter is allowed; the first one too many is a fault of its list. */
function countFilter(parsing: Parsing, list: string): boolean {
  if (parsing.filterCount === maxFilters)
    parsing.faults.add(list, "too_big", `has more filters than the ${maxFilters} a condition may have`)
  return parsing.filterCount++ < maxFilters
}

/** Whether the field of a filter may be read. */
function countField(parsing: Parsing, filter: unknown, path: string): boolean {
  if (!isObject(filter) || typeof filter.field !== "string") return true
  parsing.fieldCharacters += filter.field.length
  if (parsing.fieldCharacters <= maxFieldCharacters) return true
  const says = `makes the fields of the condition longer than ${maxFieldCharacters} characters together`
  parsing.faults.add(`${path}.field`, "too_big", says)
  return false
}

const isEmpty = (sent: unknown): boolean => Array.isArray(sent) && sent.length === 0

/** The parsed items of a list, without those that have faults. */
function parseList<T>(
  sent: unknown,
  at: string,
  faults: Faults,
  parse: (item: unknown, path: string, list: string) => T | undefined,
): T[] | undefined {
  if (!Array.isArray(sent)) return void faults.addMismatch(at, sent, "a list")
  const parsed: T[] = []
  for (const [index, item] of sent.entries()) {
    if (faults.full) break
    const one = parse(item, `${at}.${index}`, at)
    if (one !== undefined) parsed.push(one)
  }
  return parsed
}

const storedRoot = ({ logic, groups }: ConditionJson): ConditionJson => ({ logic, groups: groups.map(storedGroup) })

function storedGroup({ filters, conditions }: GroupJson): GroupJson {
  const stored: GroupJson = { filters: filters.map(storedFilter) }
  if (conditions !== undefined) stored.conditions = conditions && storedRoot(conditions)
  return stored
}

function storedFilter({ field, operator, value, unit }: FilterJson): FilterJson {
  const stored: FilterJson = { field, operator }
  if (value !== undefined) stored.value = value
  if (unit !== undefined) stored.unit = unit
  return stored
}

/** Every filter of a condition, including those of nested roots. */
export function* filtersOf(tree: Condition): Generator<Filter> {
  for (const { filters, conditions } of tree.groups) {
    yield* filters
    if (conditions) yield* filtersOf(conditions)
  }
}
