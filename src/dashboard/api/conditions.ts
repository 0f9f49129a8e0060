import type * as server from "../../conditions/index.ts"
import type { Frozen } from "./types.ts"

/** The condition tree as it goes over the wire (contract B2.1). */
export type ConditionJson = Frozen<server.ConditionJson>
/** True when all filters and the nested root are. */
export type GroupJson = Frozen<server.GroupJson>
export type FilterJson = Frozen<server.FilterJson>
export type Logic = server.Logic

export const otherLogic = (logic: Logic): Logic => (logic === "AND" ? "OR" : "AND")

export const filtersOf = ({ groups }: ConditionJson): readonly FilterJson[] =>
  groups.flatMap(({ filters, conditions }) => [...filters, ...(conditions ? filtersOf(conditions) : [])])

/** The segments that a condition names. */
export const segmentsIn = (condition: ConditionJson): readonly string[] =>
  filtersOf(condition).flatMap(({ field }) => (field.startsWith("segment.") ? [field.slice("segment.".length)] : []))
