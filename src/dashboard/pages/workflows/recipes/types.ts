import type { Data } from "../../../api/types.ts"
import type { StepType } from "../../../api/workflows.ts"

export const plain = ""

/** A step of a recipe. */
export interface SentStepOf {
  readonly key: string
  readonly type: StepType
  readonly name: string
  readonly config?: Data
  /** The template of a mail, by its key. */
  readonly mail?: string
  /** The step that leads to it; `""` is the trigger. */
  readonly after: string
  /** The exit of that step. */
  readonly branch?: string
}
