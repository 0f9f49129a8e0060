import { type ConditionJson, filtersOf } from "../../../../api/conditions.ts"
import type { Data } from "../../../../api/types.ts"
import type { WorkflowFields } from "../../../../api/workflows.ts"
import { needsOf } from "../../../../parts/condition/model/operators.ts"
import { branchesOf, isMulti } from "./exits.ts"
import { type Graph, linksFrom, linksTo, reachableFrom, type Step, triggerOf } from "./graph.ts"

/** Something that is wrong with a step. */
export interface StepFault {
  readonly stepId: string
  /** The key of the config that it is about; `""` for the step. */
  readonly key: string
  readonly text: string
  /** Whether the workflow can be enabled with it. */
  readonly isHint: boolean
}

/** Facts from outside of the graph. */
interface GraphFacts {
  /** Whether a template was deleted. */
  isGone(templateId: string): boolean
}

type Trigger = Pick<WorkflowFields, "triggerType"> & { readonly eventName: string }

/** Everything that is missing or wrong, step by step (contract B5.3, B5.4). The server has the last word. */
export function faultsIn(graph: Graph, trigger: Trigger, known: GraphFacts): readonly StepFault[] {
  const first = triggerOf(graph)
  const reached = first ? reachableFrom(graph, [first.id]) : new Set<string>()
  const restless = restlessLoops(graph)
  return graph.steps.flatMap((step): StepFault[] => {
    const wrong = (key: string, text: string): StepFault => ({ stepId: step.id, key, text, isHint: false })
    const hint = (text: string): StepFault => ({ stepId: step.id, key: "", text, isHint: true })
    const faults = Object.entries(stepFaults(step, trigger, known)).map(([key, text]) => wrong(key, text))
    if (step.name.trim() === "") faults.push(wrong("name", "Give it a name."))
    if (restless.has(step.id)) faults.push(wrong("", "These steps go round in a circle without a wait."))
    if (step === first && linksFrom(graph, step.id).length === 0) faults.push(hint("Nothing happens after it yet."))
    if (step !== first && !reached.has(step.id)) faults.push(hint(unreached(graph, step.id)))
    return faults
  })
}

const unreached = (graph: Graph, id: string): string =>
  linksTo(graph, id).length > 0 ? "It is not reached from the trigger." : "Nothing leads to this step."

const emailForm = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const hasTag = (text: string): boolean => text.includes("{{")
const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "")
const mostSeconds = 31_536_000
const mostOf: Readonly<Record<string, number>> = { minutes: 525_600, hours: 8_760, days: 365 }

/** By the key of the config. */
function stepFaults(
  { type, config, templateId }: Step,
  trigger: Trigger,
  { isGone }: GraphFacts,
): Record<string, string> {
  switch (type) {
    case "TRIGGER":
      return trigger.triggerType === "EVENT" && trigger.eventName.trim() === ""
        ? { eventName: "Which event starts it?" }
        : {}
    case "SEND_EMAIL":
      return {
        ...(templateId === null
          ? { templateId: "Choose a template." }
          : isGone(templateId)
            ? { templateId: "This template was deleted." }
            : {}),
        ...recipientFault(config),
      }
    case "DELAY": {
      const { amount } = config
      if (typeof amount !== "number" || !(amount > 0)) return { amount: "How long?" }
      return amount > (mostOf[String(config.unit)] ?? 365) ? { amount: "At most 365 days." } : {}
    }
    case "WAIT_FOR_EVENT": {
      const { timeout } = config
      const isTimeFine = timeout === undefined || timeout === null || isTimeout(timeout)
      return {
        ...(textOf(config.eventName) === "" ? { eventName: "Which event?" } : {}),
        ...(isTimeFine ? {} : { timeout: "From one second to 365 days." }),
        ...(isFilterComplete(config.filter) ? {} : { filter: "A condition is not complete yet." }),
      }
    }
    case "CONDITION":
      return conditionFaults(config)
    case "WEBHOOK":
      return webhookFaults(config)
    case "UPDATE_CONTACT": {
      const updates = config.updates ?? config.data
      const isEmpty = typeof updates !== "object" || updates === null || Object.keys(updates).length === 0
      const acts = config.subscriptionAction === "subscribe" || config.subscriptionAction === "unsubscribe"
      return isEmpty && !acts ? { updates: "What should change?" } : {}
    }
    case "EXIT":
      return textOf(config.reason).length > 255 ? { reason: "At most 255 characters." } : {}
  }
}

/** Whether each line of a condition has what it needs; the server checks the rest. */
function isFilterComplete(filter: unknown): boolean {
  if (filter === undefined || filter === null) return true
  return filtersOf(filter as ConditionJson).every((one) => one.field !== "" && isCompared(one))
}

const isTimeout = (value: unknown): boolean => typeof value === "number" && value >= 1 && value <= mostSeconds

function recipientFault({ recipient }: Data): Record<string, string> {
  const { type, customEmail } = (recipient ?? {}) as { type?: string; customEmail?: string }
  if (type !== "CUSTOM") return {}
  const address = textOf(customEmail)
  return hasTag(address) || emailForm.test(address) ? {} : { recipient: "Which address?" }
}

function webhookFaults({ url }: Data): Record<string, string> {
  const address = textOf(url)
  if (address === "") return { url: "Which address?" }
  if (hasTag(address)) return {}
  return ["http:", "https:"].includes(URL.parse(address)?.protocol ?? "") ? {} : { url: "An http or https address." }
}

const isCompared = ({ operator, value }: { operator?: unknown; value?: unknown }): boolean =>
  typeof operator === "string" && (needsOf(operator) === "nothing" || (value !== undefined && value !== ""))

function conditionFaults(config: Data): Record<string, string> {
  if (textOf(config.field) === "") return { field: "What decides?" }
  if (!isMulti(config)) return isCompared(config) ? {} : { value: "Which value?" }
  const branches = branchesOf(config)
  if (branches.length === 0) return { branches: "Add a branch." }
  const at = branches.findIndex((branch) => !isCompared(branch))
  return at < 0 ? {} : { [`branches.${at}`]: "Which value?" }
}

const rests = ({ type }: Step): boolean => type === "DELAY" || type === "WAIT_FOR_EVENT"

/**
 * The steps of loops without a delay or wait: what remains when steps without incoming, or without outgoing,
 * transitions are removed repeatedly.
 */
function restlessLoops({ steps, links }: Graph): ReadonlySet<string> {
  const left = new Set(steps.filter((step) => !rests(step)).map(({ id }) => id))
  for (let before = -1; before !== left.size; ) {
    before = left.size
    for (const id of left) {
      const hasEntry = links.some(({ from, to }) => to === id && left.has(from))
      const hasExit = links.some(({ from, to }) => from === id && left.has(to))
      if (!hasEntry || !hasExit) left.delete(id)
    }
  }
  return left
}
