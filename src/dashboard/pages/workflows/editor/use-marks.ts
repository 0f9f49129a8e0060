import { useMemo } from "react"
import type { WorkflowFlow } from "../../../api/workflows.ts"
import { useTemplateNames } from "../../../queries/templates.ts"
import type { Marks } from "./canvas/drawn.ts"
import type { Flow } from "./flow.ts"
import { faultsIn, type StepFault } from "./model/faults.ts"
import { placeKey, plain } from "./model/graph.ts"
import { summaryOf } from "./model/summary.ts"
import type { Trace } from "./simulation/trace.ts"

/** What the cards and lines show besides the graph: what steps do, what is wrong, and the people. */
export function useMarks(
  flow: Flow,
  refused: Readonly<Record<string, string>>,
  counts: WorkflowFlow | undefined,
  days: 7 | 30 | null,
  trace: Trace | null,
) {
  const templates = useTemplateNames(flow.steps.flatMap(({ templateId }) => templateId ?? []))
  const faults = useMemo(
    () => [...faultsIn(flow, flow, { isGone: (id) => templates.get(id) === null }), ...refusedFaults(refused)],
    [flow, refused, templates],
  )
  const marks = useMemo((): Marks => {
    const byStep = Map.groupBy(faults, ({ stepId }) => stepId)
    const standing = new Map(counts?.standing.map(({ stepId, contacts }) => [stepId, contacts]))
    const passed = new Map(
      counts?.passed.map(({ stepId, branch, last7Days, last30Days }) => [
        placeKey({ from: stepId, branch: branch ?? plain }),
        days === 7 ? last7Days : last30Days,
      ]),
    )
    const trigger = flow.triggerType === "MANUAL" ? "By hand or API" : flow.eventName
    const names = { trigger, templateName: (id: string) => templates.get(id) ?? undefined }
    const texts = new Map(flow.steps.map((step) => [step.id, summaryOf(step, names)]))
    return {
      summary: (id) => texts.get(id) ?? "",
      fault(id) {
        const [first] = (byStep.get(id) ?? []).toSorted((one, other) => Number(one.isHint) - Number(other.isHint))
        return first ?? null
      },
      people: (id) => standing.get(id) ?? null,
      passed: (place) =>
        counts === undefined || days === null ? null : (passed.get(placeKey(place)) ?? 0).toLocaleString("en"),
      trace: (id) => (trace === null ? null : (trace.steps.get(id) ?? "beside")),
      isLit: (place) => trace?.places.has(placeKey(place)) ?? false,
    }
  }, [flow, faults, counts, days, trace, templates])
  return { faults, marks }
}

/** Those that the server found: their keys are `flow:<step>:<key>`. */
const refusedFaults = (refused: Readonly<Record<string, string>>): readonly StepFault[] =>
  Object.entries(refused).flatMap(([name, text]) => {
    const [part, stepId, key = ""] = name.split(":")
    return part === "flow" && stepId ? [{ stepId, key, text, isHint: false }] : []
  })
