import { malformed } from "../../kernel/errors.ts"
import type { Step, Transition } from "./table.ts"

/** The steps and transitions of a workflow, each the oldest first. */
export interface Graph {
  readonly steps: readonly Step[]
  readonly transitions: readonly Transition[]
  /** The names of the templates that steps send, by id; without those that are gone. */
  readonly templateNames: ReadonlyMap<string, string>
}

export type Edge = Pick<Transition, "fromStepId" | "toStepId" | "branch">

export const plain = ""

/** The exits of a step by branch (contract B5.3.4); the plain one is `""`. */
export function exitsOf({ type, config }: Pick<Step, "type" | "config">): readonly string[] {
  switch (type) {
    case "EXIT":
      return []
    case "WAIT_FOR_EVENT":
      return [plain, "timeout"]
    case "CONDITION":
      return config.mode === "multi"
        ? [...(config.branches as readonly { id: string }[]).map(({ id }) => id), "default"]
        : ["yes", "no"]
    default:
      return [plain]
  }
}

const rests = ({ type }: Step): boolean => type === "DELAY" || type === "WAIT_FOR_EVENT"

/** Whether a loop without a rest exists: an execution would go round it without end. */
export function hasRestlessLoop(steps: readonly Step[], edges: readonly Edge[]): boolean {
  const restless = new Set(steps.filter((step) => !rests(step)).map(({ id }) => id))
  const entries = new Map([...restless].map((id) => [id, 0]))
  const inner = edges.filter(({ fromStepId, toStepId }) => restless.has(fromStepId) && restless.has(toStepId))
  const next = Map.groupBy(inner, ({ fromStepId }) => fromStepId)
  for (const { toStepId } of inner) entries.set(toStepId, (entries.get(toStepId) ?? 0) + 1)
  // Steps without entries are removed one by one; those of a loop remain.
  const open = [...restless].filter((id) => entries.get(id) === 0)
  let removed = 0
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    removed++
    for (const { toStepId } of next.get(id) ?? []) {
      const left = (entries.get(toStepId) ?? 0) - 1
      entries.set(toStepId, left)
      if (left === 0) open.push(toStepId)
    }
  }
  return removed < restless.size
}

/** Whether two transitions cannot both be in the graph because they use the same exit. */
const isSameExit = (a: Edge, b: Edge): boolean => a.fromStepId === b.fromStepId && a.branch === b.branch

/** What a new transition does to the graph: it exists already, or it is added and automatic ones give way. */
export type Connection = { readonly exists: Transition } | { readonly displaces: readonly Transition[] }

/** Checks a new transition between two steps of the graph (contract B5.3.2 to B5.3.4). Throws 400. */
export function connect({ steps, transitions }: Graph, edge: Edge, from: Step, to: Step): Connection {
  const identical = transitions.find((one) => one.automatic && isSameExit(one, edge) && one.toStepId === edge.toStepId)
  if (identical) return { exists: identical }
  if (from.id === to.id) throw malformed("A step cannot lead to itself.")
  if (to.type === "TRIGGER") throw malformed("No step can lead to the trigger.")
  if (from.type === "EXIT") throw malformed("An EXIT step has no exit.")
  const exits = exitsOf(from)
  if (!exits.includes(edge.branch))
    throw malformed(
      edge.branch === plain
        ? `branch is required: one of ${exits.join(", ")}.`
        : `The step "${from.name}" has no branch ${edge.branch}.`,
    )
  const taken = transitions.filter((one) => isSameExit(one, edge))
  if (taken.some(({ automatic }) => !automatic))
    throw malformed(
      edge.branch === plain ? `The step "${from.name}" has an exit already.` : `The branch ${edge.branch} is taken.`,
    )
  const rest = transitions.filter((one) => !taken.includes(one))
  if (!hasRestlessLoop(steps, [...rest, edge])) return { displaces: taken }
  const explicit = rest.filter(({ automatic }) => !automatic)
  if (hasRestlessLoop(steps, [...explicit, edge]))
    throw malformed("This closes a loop without a DELAY or WAIT_FOR_EVENT step.")
  return { displaces: [...taken, ...automaticInLoop(steps, rest, edge)] }
}

/** Automatic transitions without which the new one closes no loop; the newest go first, and no more than needed. */
function automaticInLoop(steps: readonly Step[], rest: readonly Transition[], edge: Edge): Transition[] {
  const gone: Transition[] = []
  for (const one of rest.filter(({ automatic }) => automatic).toReversed()) {
    gone.push(one)
    const kept = rest.filter((other) => !gone.includes(other))
    if (!hasRestlessLoop(steps, [...kept, edge])) break
  }
  // Whatever can come back without a loop was not part of one.
  return gone.filter((one) => {
    const kept = rest.filter((other) => other === one || !gone.includes(other))
    return hasRestlessLoop(steps, [...kept, edge])
  })
}

/** The step that a new one is connected to without a word (contract B5.3.2): the newest that has no exit. */
export function autoConnectFrom({ steps, transitions }: Pick<Graph, "steps" | "transitions">): Step | undefined {
  return steps.findLast(
    ({ id, type }) =>
      type !== "EXIT" && type !== "CONDITION" && !transitions.some(({ fromStepId }) => fromStepId === id),
  )
}

/** The transitions that replace those of a spliced step (contract B5.3.6): its entries lead to its plain target. */
export function splice({ steps, transitions }: Graph, step: Step): Transition[] {
  if (step.type === "CONDITION") throw malformed("A CONDITION step cannot be spliced: it has no plain exit.")
  const target = transitions.find(({ fromStepId, branch }) => fromStepId === step.id && branch === plain)?.toStepId
  const led = transitions
    .filter(({ fromStepId, toStepId }) => toStepId === step.id && fromStepId !== step.id)
    .flatMap((entry) => (target === undefined || target === entry.fromStepId ? [] : [{ ...entry, toStepId: target }]))
  const others = transitions.filter(({ fromStepId, toStepId }) => fromStepId !== step.id && toStepId !== step.id)
  const left = steps.filter(({ id }) => id !== step.id)
  if (hasRestlessLoop(left, [...others, ...led]))
    throw malformed("Without this step there would be a loop without a DELAY or WAIT_FOR_EVENT step.")
  return led
}
