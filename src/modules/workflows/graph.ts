import { type FaultCode, malformed } from "../../kernel/errors.ts"
import { isObject } from "../../kernel/json.ts"
import type { Step, Transition } from "./table.ts"

/** The steps and transitions of a workflow, each the oldest first. */
export interface Graph {
  readonly steps: readonly Step[]
  readonly transitions: readonly Transition[]
  /** The names of the templates that steps send, by id; without those that are gone. */
  readonly templateNames: ReadonlyMap<string, string>
}

type Edge = Pick<Transition, "fromStepId" | "toStepId" | "branch">

export const plain = ""

/** The exits of a step by branch (contract B5.3.4); the plain one is `""`. */
function exitsOf({ type, config }: Pick<Step, "type" | "config">): readonly string[] {
  switch (type) {
    case "EXIT":
      return []
    case "WAIT_FOR_EVENT":
      return [plain, "timeout"]
    case "CONDITION":
      return config.mode === "multi" ? [...branchIds(config.branches), "default"] : ["yes", "no"]
    default:
      return [plain]
  }
}

/** Those of a draft may have faults. */
const branchIds = (branches: unknown): string[] =>
  Array.isArray(branches)
    ? branches.flatMap((branch) => (isObject(branch) && typeof branch.id === "string" ? [branch.id] : []))
    : []

/** The transitions from branches that a step no longer has. */
export function withoutExit({ transitions }: Graph, step: Step): Transition[] {
  const exits = exitsOf(step)
  return transitions.filter(({ fromStepId, branch }) => fromStepId === step.id && !exits.includes(branch))
}

const isRest = ({ type }: Pick<Step, "type">): boolean => type === "DELAY" || type === "WAIT_FOR_EVENT"

/**
 * The transitions that close loops without a delay or wait, in which an execution would run forever; the other
 * transitions have no such loop.
 */
export function* closingEdges<E extends Edge>(
  steps: readonly Pick<Step, "id" | "type">[],
  edges: readonly E[],
): Generator<E> {
  const restless = new Set(steps.filter((step) => !isRest(step)).map(({ id }) => id))
  const inner = edges.filter(({ fromStepId, toStepId }) => restless.has(fromStepId) && restless.has(toStepId))
  const exits = Map.groupBy(inner, ({ fromStepId }) => fromStepId)
  const isOver = new Map<string, boolean>()
  for (const root of restless) {
    if (isOver.has(root)) continue
    isOver.set(root, false)
    const path = [{ id: root, next: 0 }]
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const edge = exits.get(last.id)?.[last.next++]
      if (edge === undefined) {
        isOver.set(last.id, true)
        path.pop()
      } else if (isOver.get(edge.toStepId) === false) yield edge
      else if (!isOver.has(edge.toStepId)) {
        isOver.set(edge.toStepId, false)
        path.push({ id: edge.toStepId, next: 0 })
      }
    }
  }
}

export const hasRestlessLoop = (steps: readonly Step[], edges: readonly Edge[]): boolean =>
  closingEdges(steps, edges).next().done !== true

/** Whether two transitions cannot both be in the graph because they use the same exit. */
const isSameExit = (a: Edge, b: Edge): boolean => a.fromStepId === b.fromStepId && a.branch === b.branch

/** What is wrong with one field of a transition. */
export interface EdgeFault {
  readonly field: "fromStepId" | "toStepId" | "branch"
  readonly code: FaultCode
  readonly message: string
}

type Ends = Pick<Step, "id" | "type" | "name" | "config">

/** Why there can be no such transition, whatever the others are (contract B5.3.3, B5.3.4). */
export function edgeFault({ branch }: Pick<Edge, "branch">, from: Ends, to: Ends): EdgeFault | undefined {
  if (from.id === to.id) return { field: "toStepId", code: "custom", message: "A step cannot lead to itself." }
  if (to.type === "TRIGGER") return { field: "toStepId", code: "custom", message: "No step can lead to the trigger." }
  if (from.type === "EXIT") return { field: "fromStepId", code: "custom", message: "An EXIT step has no exit." }
  const exits = exitsOf(from)
  if (exits.includes(branch)) return undefined
  return branch === plain
    ? { field: "branch", code: "required", message: `branch is required: one of ${exits.join(", ")}.` }
    : { field: "branch", code: "invalid_enum", message: `The step "${from.name}" has no branch ${branch}.` }
}

/** The fault of a transition whose exit another one has. */
export const takenFault = ({ branch }: Pick<Edge, "branch">, from: Pick<Step, "name">): EdgeFault =>
  branch === plain
    ? { field: "fromStepId", code: "custom", message: `The step "${from.name}" has an exit already.` }
    : { field: "branch", code: "custom", message: `The branch ${branch} is taken.` }

export const loopMessage = "This closes a loop without a DELAY or WAIT_FOR_EVENT step."

/** What a new transition does to the graph: it exists already, or it is added and automatic ones give way. */
type Connection = { readonly exists: Transition } | { readonly displaces: readonly Transition[] }

/** Checks a new transition between two steps of the graph (contract B5.3.2 to B5.3.4). @throws {DomainError} 400 */
export function connect({ steps, transitions }: Graph, edge: Edge, from: Step, to: Step): Connection {
  const identical = transitions.find((one) => one.automatic && isSameExit(one, edge) && one.toStepId === edge.toStepId)
  if (identical) return { exists: identical }
  const fault = edgeFault(edge, from, to)
  if (fault) throw malformed(fault.message)
  const taken = transitions.filter((one) => isSameExit(one, edge))
  if (taken.some(({ automatic }) => !automatic)) throw malformed(takenFault(edge, from).message)
  const rest = transitions.filter((one) => !taken.includes(one))
  if (!hasRestlessLoop(steps, [...rest, edge])) return { displaces: taken }
  const explicit = rest.filter(({ automatic }) => !automatic)
  if (hasRestlessLoop(steps, [...explicit, edge])) throw malformed(loopMessage)
  return { displaces: [...taken, ...automaticInLoop(steps, rest, edge)] }
}

/** The automatic transitions to remove so that the new one closes no loop: the newest ones, and no more than needed. */
function automaticInLoop(steps: readonly Step[], rest: readonly Transition[], edge: Edge): Transition[] {
  const newestFirst = rest.filter(({ automatic }) => automatic).toReversed()
  const without = (gone: readonly Transition[]): Transition[] => {
    const left = new Set(gone)
    return rest.filter((one) => !left.has(one))
  }
  // The smallest number of the newest whose removal breaks the loop, by binary search: there may be a thousand, and
  // each test reads the graph.
  let [tooFew, enough] = [0, newestFirst.length]
  while (enough - tooFew > 1) {
    const half = Math.floor((tooFew + enough) / 2)
    if (hasRestlessLoop(steps, [...without(newestFirst.slice(0, half)), edge])) tooFew = half
    else enough = half
  }
  const gone = newestFirst.slice(0, enough)
  // Only transitions on a path from the target of the new one back to its source were part of a loop; the others are
  // restored.
  const kept = without(gone)
  const behind = reached(
    steps,
    edge.toStepId,
    kept,
    ({ fromStepId }) => fromStepId,
    ({ toStepId }) => toStepId,
  )
  const before = reached(
    steps,
    edge.fromStepId,
    kept,
    ({ toStepId }) => toStepId,
    ({ fromStepId }) => fromStepId,
  )
  return gone.filter(({ fromStepId, toStepId }) => behind.has(fromStepId) && before.has(toStepId))
}

/** The steps that transitions connect with one, itself included, past no step that rests. */
function reached(
  steps: readonly Step[],
  first: string,
  edges: readonly Edge[],
  near: (edge: Edge) => string,
  far: (edge: Edge) => string,
): ReadonlySet<string> {
  const restless = new Set(steps.filter((step) => !isRest(step)).map(({ id }) => id))
  const at = Map.groupBy(edges, near)
  const found = new Set([first].filter((id) => restless.has(id)))
  // A set is also walked through what is added meanwhile.
  for (const id of found) for (const edge of at.get(id) ?? []) if (restless.has(far(edge))) found.add(far(edge))
  return found
}

/** The step that a new one is connected to automatically (contract B5.3.2): the newest without an exit. */
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
