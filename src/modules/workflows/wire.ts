import { type Static, Type as t } from "@sinclair/typebox"
import { about, anyObject, named } from "../../http/openapi/describe.ts"
import { choiceIn, type Query, searchIn } from "../../http/page.ts"
import { pathId } from "../../http/path-id.ts"
import {
  blankFaults,
  choice,
  choiceFaults,
  optional,
  requiredFault,
  shape,
  text,
  withRules,
} from "../../http/schema.ts"
import { type Fault, fault } from "../../kernel/errors.ts"
import { isObject, jsonType } from "../../kernel/json.ts"
import type { WorkflowChange, WorkflowFields } from "./actions.ts"
import { contentFaults } from "./config.ts"
import { plain } from "./graph.ts"
import type { StepChange, StepFields, TransitionFields } from "./graph-actions.ts"
import { sortKeys, type WorkflowQuery } from "./store.ts"
import { type StepConfig, type StepType, stepTypes, triggerTypes } from "./table.ts"

/** The id in a path of a workflow. */
export const workflowId = (params: { id: string }): string => pathId("Workflow", params.id)

export const name = () => text({ min: 1, max: 255 })
const trigger = () => optional(shape({ eventName: optional(name()) }))
export const position = () => shape({ x: t.Number(), y: t.Number() })

const eventNameIn = (sent: Record<string, unknown>): unknown =>
  sent.eventName ?? (isObject(sent.triggerConfig) ? sent.triggerConfig.eventName : undefined)

export const objectFaults = (field: string, value: unknown): Fault[] =>
  value === undefined || isObject(value)
    ? []
    : [fault(field, "invalid_type", `${field} must be an object.`, jsonType(value))]

/** The body of `POST /workflows` (contract B5.2.3). */
export const newWorkflowBody = withRules(
  named(
    "WorkflowRequest",
    shape({
      name: name(),
      description: optional(text()),
      eventName: about("Required, here or in `triggerConfig`.", optional(name())),
      triggerConfig: trigger(),
      allowReentry: about("False when left out.", optional(t.Boolean())),
    }),
    { name: "Welcome", eventName: "signup" },
  ),
  (sent) => {
    const eventName = eventNameIn(sent)
    const missing = eventName === undefined || eventName === null ? [requiredFault("eventName")] : []
    return [...missing, ...blankFaults("name", sent.name), ...blankFaults("eventName", eventName)]
  },
)

/** The body of `PATCH /workflows/{id}` (contract B5.2.5). */
export const workflowChangeBody = withRules(
  named(
    "WorkflowChange",
    shape({
      name: t.Optional(name()),
      description: optional(text()),
      enabled: t.Optional(t.Boolean()),
      allowReentry: t.Optional(t.Boolean()),
      triggerType: t.Optional(choice(triggerTypes)),
      triggerConfig: t.Optional(shape({ eventName: t.Optional(name()) })),
    }),
    { enabled: true },
  ),
  (sent) => [
    ...choiceFaults("triggerType", sent.triggerType, triggerTypes),
    ...blankFaults("name", sent.name),
    ...blankFaults("triggerConfig.eventName", eventNameIn({ triggerConfig: sent.triggerConfig })),
  ],
)

/** The body of `POST /workflows/{id}/steps` (contract B5.3.1). */
export const newStepBody = withRules(
  named(
    "WorkflowStepRequest",
    shape({
      type: choice<StepType>(stepTypes),
      name: name(),
      position: about("100, 100 when left out.", optional(position())),
      config: about("As the type requires.", optional(t.Unknown(anyObject()))),
      templateId: about("The template of a `SEND_EMAIL` step.", optional(text({ form: "id" }))),
      autoConnect: about("Lead the newest step without an exit to this one.", optional(t.Boolean())),
    }),
    { type: "DELAY", name: "Wait a day", config: { amount: 1, unit: "days" } },
  ),
  (sent) => [
    ...choiceFaults("type", sent.type, stepTypes),
    ...blankFaults("name", sent.name),
    ...objectFaults("config", sent.config ?? undefined),
    ...newContentFaults(sent),
  ],
)

/** The faults of what a new step does, once its type and its config can be read. */
function newContentFaults({ type: sentType, config: sentConfig, templateId }: Record<string, unknown>): Fault[] {
  const type = stepTypes.find((one) => one === sentType)
  const config = sentConfig ?? {}
  return type === undefined || !isObject(config) ? [] : contentFaults(type, { config: configIn(config), templateId })
}

/** The body of `PATCH /workflows/{id}/steps/{stepId}` (contract B5.2.8). */
export const stepChangeBody = withRules(
  named(
    "WorkflowStepChange",
    shape({
      name: t.Optional(name()),
      position: t.Optional(position()),
      config: about("Replaces the whole config.", t.Optional(t.Unknown(anyObject()))),
      templateId: t.Optional(text({ form: "id" })),
    }),
    { config: { amount: 2, unit: "days" } },
  ),
  (sent) => [...blankFaults("name", sent.name), ...objectFaults("config", sent.config)],
)

export const branchCondition = () => optional(shape({ branch: optional(text()), fallback: optional(t.Boolean()) }))

/** The body of `POST /workflows/{id}/transitions` (contract B5.3.3). */
export const newTransitionBody = named(
  "WorkflowTransitionRequest",
  shape({
    fromStepId: text({ form: "id" }),
    toStepId: text({ form: "id" }),
    branch: about("The exit of a CONDITION step, or `timeout` of a WAIT_FOR_EVENT step.", optional(text())),
    condition: branchCondition(),
    priority: optional(t.Integer()),
  }),
  {
    fromStepId: "0199c0de-0000-7000-8000-0000000000a2",
    toStepId: "0199c0de-0000-7000-8000-0000000000a3",
    branch: "yes",
  },
)

export const queryIn = (query: Query): WorkflowQuery => ({
  search: searchIn(query.search),
  sort: choiceIn(query.sort, sortKeys, "createdAt"),
  dir: choiceIn(query.dir, ["asc", "desc"], "desc"),
})

export const fieldsIn = (sent: Static<typeof newWorkflowBody>): WorkflowFields => ({
  name: sent.name.trim(),
  description: sent.description ?? null,
  eventName: String(eventNameIn(sent as Record<string, unknown>)).trim(),
  allowReentry: sent.allowReentry ?? false,
})

export const changeIn = (sent: Static<typeof workflowChangeBody>): WorkflowChange => ({
  name: sent.name?.trim(),
  description: sent.description,
  enabled: sent.enabled,
  allowReentry: sent.allowReentry,
  triggerType: sent.triggerType,
  // As the whole config it is without an event when it names none.
  eventName: sent.triggerConfig && (sent.triggerConfig.eventName?.trim() ?? null),
})

/** The config of a step. The name of an event has no spaces around it, as names of stored events have none. */
export function configIn(sent: unknown): StepConfig {
  const config = sent as StepConfig
  return typeof config.eventName === "string" ? { ...config, eventName: config.eventName.trim() } : config
}

/** The content of a new step, alone or within a whole graph. */
export const stepContentIn = (
  sent: Pick<Static<typeof newStepBody>, "type" | "name" | "position" | "config" | "templateId">,
): Omit<StepFields, "autoConnect"> => ({
  type: sent.type,
  name: sent.name.trim(),
  position: sent.position ? { x: sent.position.x, y: sent.position.y } : { x: 100, y: 100 },
  config: configIn(sent.config ?? {}),
  templateId: sent.templateId?.toLowerCase() ?? null,
})

export const stepIn = (sent: Static<typeof newStepBody>): StepFields => ({
  ...stepContentIn(sent),
  autoConnect: sent.autoConnect ?? undefined,
})

export const stepChangeIn = (sent: Static<typeof stepChangeBody>): StepChange => ({
  name: sent.name?.trim(),
  position: sent.position && { x: sent.position.x, y: sent.position.y },
  config: sent.config === undefined ? undefined : configIn(sent.config),
  templateId: sent.templateId?.toLowerCase(),
})

interface SentBranch {
  readonly branch?: string | null
  readonly condition?: { readonly branch?: string | null; readonly fallback?: boolean | null } | null
}

/** The exit that a transition starts from (contract B5.3.3, B5.3.4). */
export const branchIn = ({ branch, condition }: SentBranch): string =>
  branch ?? condition?.branch ?? (condition?.fallback ? "timeout" : plain)

export const transitionIn = (sent: Static<typeof newTransitionBody>): TransitionFields => ({
  fromStepId: sent.fromStepId.toLowerCase(),
  toStepId: sent.toStepId.toLowerCase(),
  branch: branchIn(sent),
  priority: sent.priority ?? 0,
})
