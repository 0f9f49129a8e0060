import { type FilterJson, matches, parseCondition } from "../../conditions/index.ts"
import { isGiven } from "../../http/schema.ts"
import type { Fault } from "../../kernel/errors.ts"
import { isObject, type JsonObject } from "../../kernel/json.ts"
import type { Contact } from "../contacts/index.ts"
import { at, mistyped, required } from "./config-faults.ts"
import type { StepConfig } from "./table.ts"

const maxBranches = 20
const core = ["email", "subscribed", "createdAt", "updatedAt"]
const contactPrefix = "contact."
const contextPrefix = /^(?:event|workflow)\./

/** A field of a CONDITION step (contract B5.4.9) without the prefix `contact.`. */
export const fieldOf = (sent: string): string =>
  sent.startsWith(contactPrefix) ? sent.slice(contactPrefix.length) : sent

/** The filter with a field that conditions support: paths of the context are compared like those of `data`. */
const asFilter = ({ field, operator, value, unit }: Record<string, unknown>): FilterJson => {
  const known = typeof field === "string" ? fieldOf(field).replace(contextPrefix, "data.") : field
  return { field: known, operator, value, unit } as FilterJson
}

const isField = (field: unknown): boolean =>
  typeof field === "string" &&
  (core.includes(fieldOf(field)) || fieldOf(field).startsWith("data.") || contextPrefix.test(field))

/** The faults of one comparison; its keys are reported below `at`, the field as `config.field`. */
function filterFaults(sent: Record<string, unknown>, at: string): Fault[] {
  const parsed = parseCondition({ logic: "AND", groups: [{ filters: [asFilter(sent)] }] }, "filter")
  if (!("faults" in parsed)) return []
  return parsed.faults.map(({ field, message, ...rest }) => {
    const key = field.slice(field.lastIndexOf(".") + 1)
    const path = key === "field" ? "config.field" : `${at}.${key}`
    return { ...rest, field: path, message: message.replace(field, path) }
  })
}

function fieldFaults(field: unknown): Fault[] {
  if (!isGiven(field)) return required("field")
  if (typeof field !== "string") return mistyped("field", field, "a string")
  return isField(field) ? [] : at("field", "invalid_string", "names no field that a condition can be about")
}

/** Replaces an invalid field, so that the rest of the comparison can still be validated. */
const anyField = "data.any"

/** The faults of the config of a CONDITION step (contract B5.4.5). */
export function conditionFaults(config: StepConfig): Fault[] {
  const { mode, branches } = config
  const found = fieldFaults(config.field)
  const field = found.length > 0 ? anyField : config.field
  if (mode !== "multi") return [...found, ...filterFaults({ ...config, field }, "config")]
  if (!isGiven(branches)) return [...found, ...required("branches")]
  if (!Array.isArray(branches)) return [...found, ...mistyped("branches", branches, "a list")]
  if (branches.length === 0) return [...found, ...at("branches", "too_small", "must have a branch")]
  if (branches.length > maxBranches)
    return [...found, ...at("branches", "too_big", `must have at most ${maxBranches} branches`)]
  const seen = new Set<unknown>(["default"])
  const ofBranches = branches.flatMap((branch: unknown, index) => {
    const key = `branches.${index}`
    if (!isObject(branch)) return mistyped(key, branch, "an object")
    const { id, name } = branch
    const isNew = !seen.has(id)
    seen.add(id)
    return [
      ...branchIdFaults(`${key}.id`, id, isNew),
      ...(isGiven(name) && typeof name !== "string" ? mistyped(`${key}.name`, name, "a string") : []),
      ...filterFaults({ ...branch, field }, `config.${key}`),
    ]
  })
  return [...found, ...ofBranches]
}

function branchIdFaults(key: string, id: unknown, isNew: boolean): Fault[] {
  if (!isGiven(id)) return required(key)
  if (typeof id !== "string") return mistyped(key, id, "a string")
  return isNew && id !== "" ? [] : at(key, "custom", "must be a text that no other branch has")
}

/** The facts about an execution that a CONDITION step compares. */
interface BranchFacts {
  readonly contact: Contact
  readonly context: JsonObject
}

/** The branch that an execution takes at the instant `now`. */
export type BranchOf = (facts: BranchFacts, now: number) => string

/** Reads the config of a CONDITION step, which has no faults (contract B5.4.5, B5.4.9). */
export function branchOf(config: StepConfig): BranchOf {
  const { mode, field, branches } = config
  if (mode !== "multi") {
    const test = testOf(config)
    return (facts, now) => (test(facts, now) ? "yes" : "no")
  }
  const tests = (branches as readonly (StepConfig & { id: string })[]).map((branch) => ({
    id: branch.id,
    test: testOf({ ...branch, field }),
  }))
  return (facts, now) => tests.find(({ test }) => test(facts, now))?.id ?? "default"
}

function testOf(sent: StepConfig): (facts: BranchFacts, now: number) => boolean {
  const parsed = parseCondition({ logic: "AND", groups: [{ filters: [asFilter(sent)] }] }, "filter")
  if ("faults" in parsed) return () => false
  const readsContext = contextPrefix.test(fieldOf(String(sent.field)))
  return ({ contact, context }, now) =>
    matches(parsed.tree, { ...contact, ...noHistory, data: readsContext ? context : contact.data }, now)
}

/** Fields of a CONDITION step are not about events, mail and segments. */
const noHistory = { lastEvent: () => null, lastMail: () => null, inSegment: () => null }
