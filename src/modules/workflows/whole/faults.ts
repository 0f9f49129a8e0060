import { type Fault, fault } from "../../../kernel/errors.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import { contentFaults } from "../config.ts"
import { closingEdges, type EdgeFault, edgeFault, loopMessage, takenFault } from "../graph.ts"
import { isGraphTooBig, maxGraphBytes } from "../limits.ts"
import type { ReadGraph } from "./sent.ts"

/** More are not worth reading. */
const mostFaults = 1_000

/** Steps whose templates are compiled between two turns of the event loop: some ten milliseconds each at worst. */
const stepsAtOnce = 5

/** The same fault of a part, under the path of the part. */
export const under = (path: string, { field, message, ...rest }: Fault): Fault => ({
  ...rest,
  field: `${path}.${field}`,
  message: message.startsWith(field) ? `${path}.${message}` : message,
})

/** Why something cannot be read as a graph at all: not even a draft may have these faults. */
export function structureFaults({ steps, transitions }: ReadGraph): Fault[] {
  const faults: Fault[] = []
  const seen = new Set<string>()
  const read = steps.filter((step) => step !== undefined)
  // Missing parts are not reported if parts could not be read, because those may be the missing ones.
  const isWhole = read.length === steps.length
  for (const [index, step] of steps.entries()) {
    if (step === undefined) continue
    const { id } = step
    if (seen.has(id)) faults.push(fault(`steps.${index}.id`, "custom", `steps.${index}.id is that of another step.`))
    seen.add(id)
  }
  const triggers = [...steps.keys()].filter((index) => steps[index]?.type === "TRIGGER")
  if (triggers.length === 0 && isWhole) faults.push(fault("steps", "required", "steps must have the TRIGGER step."))
  for (const index of triggers.slice(1))
    faults.push(fault(`steps.${index}.type`, "custom", "A workflow has one TRIGGER step."))
  for (const [index, transition] of transitions.entries())
    for (const key of ["fromStepId", "toStepId"] as const)
      if (isWhole && transition && !seen.has(transition[key])) {
        const path = `transitions.${index}.${key}`
        faults.push(fault(path, "custom", `${path} names none of the steps.`))
      }
  if (isGraphTooBig(read))
    faults.push(
      fault("steps", "too_big", `The configs of all steps together must have at most ${maxGraphBytes} bytes.`),
    )
  return faults.slice(0, mostFaults)
}

function transitionFaults({ steps: sent, transitions }: ReadGraph): Fault[] {
  const steps = sent.filter((step) => step !== undefined)
  const faults: Fault[] = []
  const add = (index: number, { field, code, message }: EdgeFault) =>
    faults.push(fault(`transitions.${index}.${field}`, code, message))
  const stepOf = new Map(steps.map((step) => [step.id, step]))
  const taken = new Set<string>()
  const possible: { fromStepId: string; toStepId: string; branch: string; index: number }[] = []
  for (const [index, transition] of transitions.entries()) {
    if (transition === undefined) continue
    const { fromStepId, toStepId, branch } = transition
    const [from, to] = [stepOf.get(fromStepId), stepOf.get(toStepId)]
    if (from === undefined || to === undefined) continue
    const exit = JSON.stringify([fromStepId, branch])
    const wrong = edgeFault({ branch }, from, to) ?? (taken.has(exit) ? takenFault({ branch }, from) : undefined)
    if (wrong) {
      add(index, wrong)
      continue
    }
    taken.add(exit)
    possible.push({ fromStepId, toStepId, branch, index })
  }
  for (const { index } of closingEdges(steps, possible))
    add(index, { field: "toStepId", code: "custom", message: loopMessage })
  return faults
}

/**
 * The faults of a graph that has a structure (contract B5.3, B5.4). Compiles every template in it, so it is not called within
 * a unit of work, and yields to the event loop.
 */
export async function graphFaults(graph: ReadGraph): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const [index, step] of graph.steps.entries()) {
    if (step) faults.push(...contentFaults(step.type, step).map((one) => under(`steps.${index}`, one)))
    if (index % stepsAtOnce === stepsAtOnce - 1) await yieldToEventLoop()
  }
  faults.push(...transitionFaults(graph))
  return faults.slice(0, mostFaults)
}

/** All faults of a graph that do not depend on stored records. A graph with too many bytes is not examined further. */
export async function sentFaults(graph: ReadGraph): Promise<Fault[]> {
  const ofStructure = structureFaults(graph)
  if (ofStructure.some(({ code }) => code === "too_big")) return ofStructure
  return [...ofStructure, ...(await graphFaults(graph))].slice(0, mostFaults)
}
