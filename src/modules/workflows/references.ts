import { domainOf } from "../../kernel/email-address.ts"
import { isObject } from "../../kernel/json.ts"
import type { Reference, ReferenceSource, ReferenceTarget } from "../../references.ts"
import { fieldOf } from "./condition.ts"
import { listSenders, listStartedBy, listSteps } from "./store.ts"
import type { Step, Workflow } from "./table.ts"

/** Whether a field is the one named, or something inside its value. */
const isWithin = (field: string, key: string): boolean => field === key || field.startsWith(`${key}.`)

/** Whether a step refers to the target. A template in use cannot be deleted; fields and events can. */
function names({ type, config, templateId }: Step, { kind, key }: ReferenceTarget): boolean {
  switch (kind) {
    case "template":
      return templateId === key
    case "event":
      return type === "WAIT_FOR_EVENT" && config.eventName === key
    case "field":
      if (type === "CONDITION") return isWithin(fieldOf(String(config.field)), key)
      if (type !== "UPDATE_CONTACT") return false
      return Object.keys((config.updates ?? config.data ?? {}) as object).some((name) => `data.${name}` === key)
    default:
      return false
  }
}

const referenceOf = ({ step, workflow }: { step: Step; workflow: Workflow }, blocks: boolean): Reference => ({
  by: "workflowStep",
  id: step.id,
  name: step.name,
  within: { id: workflow.id, name: workflow.name },
  blocks,
})

/**
 * What workflows refer to: the event that starts one, and the templates, events and fields of their steps. The sender
 * domain of a template cannot be deleted while an enabled workflow sends it (contract B6.6).
 */
export const workflowReferences: ReferenceSource = async (db, projectId, target) => {
  if (target.kind === "segment") return []
  if (target.kind === "domain") {
    const senders = await listSenders(db, projectId)
    return senders.filter(({ from }) => domainOf(from) === target.key).map((sender) => referenceOf(sender, true))
  }
  const started = target.kind === "event" ? await listStartedBy(db, projectId, target.key) : []
  const steps = await listSteps(db, projectId)
  return [
    ...started.map(({ id, name, enabled }): Reference => ({ by: "workflow", id, name, blocks: enabled })),
    ...steps
      .filter(({ step }) => isObject(step.config) && names(step, target))
      .map((found) => referenceOf(found, target.kind === "template")),
  ]
}
