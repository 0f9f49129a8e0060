/** The condition tree as it goes over the wire (contract B2.1). */

export type Logic = "AND" | "OR"

export interface ConditionJson {
  readonly logic: Logic
  readonly groups: readonly GroupJson[]
}

/** True when all filters and the nested root are. */
export interface GroupJson {
  readonly filters: readonly FilterJson[]
  readonly conditions?: ConditionJson
}

export interface FilterJson {
  readonly field: string
  readonly operator: string
  readonly value?: unknown
  readonly unit?: string
}

export const otherLogic = (logic: Logic): Logic => (logic === "AND" ? "OR" : "AND")

export const filtersOf = ({ groups }: ConditionJson): readonly FilterJson[] =>
  groups.flatMap(({ filters, conditions }) => [...filters, ...(conditions ? filtersOf(conditions) : [])])

/** The segments that a condition names. */
export const segmentsIn = (condition: ConditionJson): readonly string[] =>
  filtersOf(condition).flatMap(({ field }) => (field.startsWith("segment.") ? [field.slice("segment.".length)] : []))
