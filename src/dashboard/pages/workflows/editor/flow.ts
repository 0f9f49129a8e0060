import type { TriggerType } from "../../../api/workflows.ts"
import type { Graph } from "./model/graph.ts"

/** What starts a workflow, and its graph: what undo and redo are about. */
export interface Flow extends Graph {
  readonly triggerType: TriggerType
  readonly eventName: string
  readonly allowReentry: boolean
}

export interface WorkflowContent {
  readonly name: string
  readonly description: string
  readonly flow: Flow
}
