import { isObject } from "../../kernel/json.ts"
import type { Reference, ReferenceSource } from "../../references.ts"
import { fieldOf } from "./condition.ts"
import {
  listStartedBy,
  listStepsOfTypes,
  listStepsSendingFrom,
  listStepsWithTemplate,
  type ReferringStep,
} from "./store.ts"

/** Whether a field is the one named, or something inside its value. */
const isWithin = (field: string, key: string): boolean => field === key || field.startsWith(`${key}.`)

/** Whether a CONDITION or UPDATE_CONTACT step names the field. */
function namesField({ type, config }: ReferringStep, key: string): boolean {
  if (!isObject(config)) return false
  if (type === "CONDITION") return isWithin(fieldOf(String(config.field)), key)
  return Object.keys((config.updates ?? config.data ?? {}) as object).some((name) => `data.${name}` === key)
}

const referenceOf =
  (blocks: boolean) =>
  ({ id, name, workflow }: ReferringStep): Reference => ({ by: "workflowStep", id, name, within: workflow, blocks })

/**
 * What workflows refer to: the event that starts one, and the templates, events and fields of their steps. A template in use
 * cannot be deleted, nor the sender domain of one that an enabled workflow sends (contract B6.6); fields and events can.
 */
export const workflowReferences: ReferenceSource = async (db, projectId, { kind, key }) => {
  switch (kind) {
    case "segment":
      return []
    case "domain":
      return (await listStepsSendingFrom(db, projectId, key)).map(referenceOf(true))
    case "template":
      return (await listStepsWithTemplate(db, projectId, key)).map(referenceOf(true))
    case "field": {
      const steps = await listStepsOfTypes(db, projectId, ["CONDITION", "UPDATE_CONTACT"])
      return steps.filter((step) => namesField(step, key)).map(referenceOf(false))
    }
    case "event": {
      const started = await listStartedBy(db, projectId, key)
      const waits = await listStepsOfTypes(db, projectId, ["WAIT_FOR_EVENT"])
      return [
        ...started.map(({ id, name, enabled }): Reference => ({ by: "workflow", id, name, blocks: enabled })),
        ...waits.filter(({ config }) => config?.eventName === key).map(referenceOf(false)),
      ]
    }
  }
}
