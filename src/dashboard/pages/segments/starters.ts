import type { ConditionJson, FilterJson } from "../../api/conditions.ts"

interface Starter {
  readonly name: string
  readonly condition: ConditionJson
}

const all = (...filters: FilterJson[]): ConditionJson => ({ logic: "AND", groups: [{ filters }] })
const subscribed: FilterJson = { field: "subscribed", operator: "equals", value: true }

/** Common conditions to start from. */
export const starters: readonly Starter[] = [
  { name: "Subscribed", condition: all(subscribed) },
  { name: "New this week", condition: all({ field: "createdAt", operator: "within", value: 7, unit: "days" }) },
  {
    name: "Opened lately",
    condition: all(subscribed, { field: "email.opened", operator: "triggeredWithin", value: 30, unit: "days" }),
  },
  {
    name: "Gone quiet",
    condition: all(
      { field: "email.sent", operator: "triggered" },
      { field: "email.opened", operator: "notTriggeredWithin", value: 90, unit: "days" },
    ),
  },
]
