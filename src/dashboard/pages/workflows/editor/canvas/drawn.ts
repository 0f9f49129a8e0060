import { type NodeHandle, Position } from "@xyflow/react"
import type { Graph, Place } from "../model/graph.ts"
import { placeKey, stepIn, triggerOf } from "../model/graph.ts"
import type { ExitEdgeType } from "./exit-edge.tsx"
import { type Layout, stepSize } from "./layout.ts"
import type { StepData, StepNodeType } from "./step-node.tsx"

/** What is shown of each step and exit besides the graph. */
export interface Marks {
  summary(id: string): string
  fault(id: string): { readonly text: string; readonly isHint: boolean } | null
  people(id: string): number | null
  passed(place: Place): string | null
  trace(id: string): StepData["trace"]
  isLit(place: Place): boolean
}

/**
 * Where lines begin and end. Both this and the size are given, because React Flow would otherwise measure the cards again
 * after each change, and have no lines until then: their buttons would be removed, and lose the focus.
 */
const handles: NodeHandle[] = [
  { type: "target", position: Position.Top, x: stepSize.width / 2, y: 0 },
  { type: "source", position: Position.Bottom, x: stepSize.width / 2, y: stepSize.height },
]

/** The cards of the steps. One of them can be reached by Tab: the one chosen last, or the trigger. */
export function drawnNodes(graph: Graph, layout: Layout, marks: Marks, chosen: readonly string[]): StepNodeType[] {
  const last = chosen.at(-1)
  const tabStop = last && stepIn(graph, last) ? last : (triggerOf(graph)?.id ?? graph.steps[0]?.id)
  return graph.steps.map((step) => {
    const fault = marks.fault(step.id)
    return {
      id: step.id,
      type: "step",
      position: layout.steps.get(step.id) ?? { x: 0, y: 0 },
      ...stepSize,
      measured: stepSize,
      handles,
      data: {
        step,
        summary: marks.summary(step.id),
        fault: fault?.text ?? "",
        isHint: fault?.isHint ?? false,
        people: marks.people(step.id),
        isTabStop: step.id === tabStop,
        isChosen: chosen.includes(step.id),
        trace: marks.trace(step.id),
      },
    }
  })
}

/** The transitions, and the exits that lead nowhere: those go back to their own step, as an edge needs a target. */
export function drawnEdges(graph: Graph, layout: Layout, marks: Marks): ExitEdgeType[] {
  const nameOf = (id: string): string => stepIn(graph, id)?.name ?? ""
  return layout.exits.map(({ to, points, middle, name, ...place }) => ({
    id: placeKey(place),
    type: "exit",
    source: place.from,
    target: to ?? place.from,
    // only the line itself shows where an exit leads
    ariaLabel: `From ${nameOf(place.from)}${name && `, ${name}`}, to ${to === null ? "nothing yet" : nameOf(to)}`,
    data: {
      place,
      name,
      points,
      middle: to === null ? (points.at(-1) ?? middle) : middle,
      after: nameOf(place.from),
      passed: marks.passed(place),
      isOpen: to === null,
      isLit: marks.isLit(place),
    },
  }))
}
