import type { Data } from "../../../../api/types.ts"
import type { Step } from "../model/graph.ts"

/** What every form of a step gets. */
export interface StepFormProps {
  step: Step
  /** By the key of the config. */
  faults: Readonly<Record<string, string>>
  /** Merged into the config; `undefined` removes a key. */
  onConfig(part: Data): void
  onStep(part: Partial<Pick<Step, "name" | "config" | "templateId">>): void
  /** The event that starts the workflow, whose data conditions can be about; `""` for none. */
  eventName: string
}

export const withConfig = (config: Data, part: Data): Data =>
  Object.fromEntries(Object.entries({ ...config, ...part }).filter(([, value]) => value !== undefined))

export const textIn = (value: unknown): string => (typeof value === "string" ? value : "")
