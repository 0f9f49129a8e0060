import type { Simulation } from "../../../../api/workflows.ts"
import { placeKey, plain } from "../model/graph.ts"

/** A way through the graph. */
export interface Trace {
  readonly steps: ReadonlyMap<string, "passed" | "ended" | "failed">
  /** The exits that were taken, by the keys of their places. */
  readonly places: ReadonlySet<string>
}

/** The way of a simulation up to a step; the last one is where it stands. */
export function traceOf({ steps }: Simulation, last: number): Trace {
  const passed = steps.slice(0, last + 1)
  return {
    steps: new Map(
      passed.map(({ stepId, status }, index) => [
        stepId,
        status === "FAILED" ? "failed" : index === passed.length - 1 ? "ended" : "passed",
      ]),
    ),
    places: new Set(
      passed
        .slice(0, -1)
        .flatMap(({ stepId, branch, nextStepId }) =>
          nextStepId === null ? [] : [placeKey({ from: stepId, branch: branch ?? plain })],
        ),
    ),
  }
}
