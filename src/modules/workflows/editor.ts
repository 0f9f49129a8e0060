import type { Engine } from "../../engine.ts"
import { day } from "../../kernel/clock.ts"
import type { Contacts } from "../contacts/index.ts"
import type { Events } from "../events/index.ts"
import { getWorkflow } from "./actions.ts"

/** A field that a CONDITION step can be about (contract B5.2.2). */
interface ConditionField {
  readonly field: string
  readonly type: "string" | "number" | "boolean" | "date"
  readonly category: "Contact Fields" | "Custom Data" | "Event Data"
}

/** How many contacts would have started a workflow since a time (contract B5.2.24). */
interface AudiencePreview {
  readonly days: number
  readonly since: number
  /** Null when no event starts the workflow. */
  readonly eventName: string | null
  readonly events: number
  readonly contacts: number
}

interface EditorDeps extends Pick<Engine, "store" | "clock"> {
  readonly contacts: Pick<Contacts, "fields">
  readonly events: Pick<Events, "keys" | "reach">
}

/** Choices and predictions for editors of workflows. */
export function createEditorActions({ store, clock, contacts, events }: EditorDeps) {
  return {
    /** The fields of contacts and of recent events, of one name or of all, by name. */
    async fields(projectId: string, eventName: string | undefined): Promise<ConditionField[]> {
      const ofContacts = (await contacts.fields.list(projectId)).map(
        ({ field, type, isCustom }): ConditionField => ({
          field,
          type,
          category: isCustom ? "Custom Data" : "Contact Fields",
        }),
      )
      const ofEvents = (await events.keys(projectId, eventName)).map(
        (key): ConditionField => ({ field: `event.${key}`, type: "string", category: "Event Data" }),
      )
      return [...ofContacts, ...ofEvents].sort((one, other) => (one.field < other.field ? -1 : 1))
    },

    async audience(projectId: string, workflowId: string, days: number): Promise<AudiencePreview> {
      const { eventName } = await getWorkflow(store.read, projectId, workflowId)
      const since = clock.now() - days * day
      const reach = eventName === null ? { events: 0, contacts: 0 } : await events.reach(projectId, eventName, since)
      return { days, since, eventName, ...reach }
    },
  }
}

export type EditorActions = ReturnType<typeof createEditorActions>
