export { parseInstant } from "./dates.ts"
export { faultyCondition } from "./faults.ts"
export type { Filter, SegmentReference } from "./filter.ts"
export { type Facts, matches } from "./matches.ts"
export { type Needs, needsOf } from "./needs.ts"
export type { Activity } from "./operators.ts"
export { type SqlSubject, toSql } from "./to-sql.ts"
export {
  type Condition,
  type ConditionJson,
  type FilterJson,
  filtersOf,
  type GroupJson,
  type Logic,
  type ParsedCondition,
  parseCondition,
  readCondition,
} from "./tree.ts"
