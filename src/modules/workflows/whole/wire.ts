import { type Static, Type as t } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { about, anyObject, named } from "../../../http/openapi/describe.ts"
import { blankFaults, choice, choiceFaults, optional, shape, text, withRules } from "../../../http/schema.ts"
import type { Fault } from "../../../kernel/errors.ts"
import { parseId } from "../../../kernel/ids.ts"
import { isObject } from "../../../kernel/json.ts"
import { maxSteps, maxTransitions } from "../limits.ts"
import { type StepType, stepTypes } from "../table.ts"
import { branchCondition, branchIn, configIn, name, objectFaults, position, stepContentIn } from "../wire.ts"
import type { ReadGraph, ReadStep, ReadTransition, SentGraph } from "./sent.ts"

const ref = () => text({ min: 1, max: 64 })

const step = shape({
  id: about("Of a step of the workflow; another UUID, or any text that stands for a new step.", ref()),
  type: choice<StepType>(stepTypes),
  name: name(),
  position: about("100, 100 when left out.", optional(position())),
  config: about("As the type requires; that of the trigger is the server's.", optional(t.Unknown(anyObject()))),
  templateId: about("The template of a `SEND_EMAIL` step.", optional(text({ form: "id" }))),
})

const transition = shape({
  id: about("New when left out.", optional(ref())),
  fromStepId: about("The `id` of a step as it is sent here.", ref()),
  toStepId: ref(),
  branch: about("The exit of a CONDITION step, or `timeout` of a WAIT_FOR_EVENT step.", optional(text())),
  condition: branchCondition(),
  priority: optional(t.Integer()),
})

export const graphFields = {
  steps: t.Array(step, { maxItems: maxSteps }),
  transitions: t.Array(transition, { maxItems: maxTransitions }),
}

const exampleSteps = [
  { id: "0199c0de-0000-7000-8000-0000000000a2", type: "TRIGGER" as const, name: "Trigger" },
  { id: "new-delay", type: "DELAY" as const, name: "Wait a day", config: { amount: 1, unit: "days" } },
]
export const graphExample = {
  steps: exampleSteps,
  transitions: [{ fromStepId: "0199c0de-0000-7000-8000-0000000000a2", toStepId: "new-delay" }],
}

/** Rules over the steps of a body. */
export const graphRules = ({ steps }: Record<string, unknown>): Fault[] =>
  Array.isArray(steps) ? steps.flatMap(stepRules) : []

function stepRules(sent: unknown, index: number): Fault[] {
  if (!isObject(sent)) return []
  const path = `steps.${index}`
  return [
    ...choiceFaults(`${path}.type`, sent.type, stepTypes),
    ...blankFaults(`${path}.name`, sent.name),
    ...objectFaults(`${path}.config`, sent.config ?? undefined),
  ]
}

/** The body of `PUT /workflows/{id}/graph` (contract B5.2.17). */
export const newGraphBody = withRules(
  named(
    "WorkflowGraph",
    shape({ ...graphFields, version: about("That of the workflow as it was read.", t.Integer()) }),
    {
      ...graphExample,
      version: 3,
    },
  ),
  graphRules,
)

/** What the faults of a step and of a transition follow from. */
const readableStep = shape({ id: ref(), type: choice<StepType>(stepTypes) })
const readableTransition = shape({
  fromStepId: ref(),
  toStepId: ref(),
  branch: optional(text()),
  condition: branchCondition(),
})

function readableStepIn(sent: unknown): ReadStep | undefined {
  if (!Value.Check(readableStep, sent) || !stepTypes.includes(sent.type)) return undefined
  const { id, type, name, config: sentConfig, templateId } = sent as typeof sent & Record<string, unknown>
  const config = sentConfig ?? {}
  if (!isObject(config)) return undefined
  return {
    id: refIn(id),
    type,
    name: typeof name === "string" ? name : "",
    config: configIn(config),
    // One that is not text is a fault of the body; the config need not name another.
    templateId: typeof templateId === "string" ? templateId : (templateId ?? null) === null ? null : "",
  }
}

function readableTransitionIn(sent: unknown): ReadTransition | undefined {
  if (!Value.Check(readableTransition, sent)) return undefined
  return { fromStepId: refIn(sent.fromStepId), toStepId: refIn(sent.toStepId), branch: branchIn(sent) }
}

/** What can be read of a body that has faults; undefined when it has no list of steps, or more parts than a graph has. */
export function readableIn(body: unknown): ReadGraph | undefined {
  if (!isObject(body) || !Array.isArray(body.steps)) return undefined
  const transitions = Array.isArray(body.transitions) ? body.transitions : []
  if (body.steps.length > maxSteps || transitions.length > maxTransitions) return undefined
  return { steps: body.steps.map(readableStepIn), transitions: transitions.map(readableTransitionIn) }
}

/** UUIDs in their canonical form; other texts as they are. */
const refIn = (sent: string): string => parseId(sent) ?? sent

export const graphIn = ({
  steps,
  transitions,
}: Pick<Static<typeof newGraphBody>, "steps" | "transitions">): SentGraph => ({
  steps: steps.map((sent) => ({ id: refIn(sent.id), ...stepContentIn(sent) })),
  transitions: transitions.map((sent) => ({
    id: sent.id === undefined || sent.id === null ? undefined : refIn(sent.id),
    fromStepId: refIn(sent.fromStepId),
    toStepId: refIn(sent.toStepId),
    branch: branchIn(sent),
    priority: sent.priority ?? 0,
  })),
})
