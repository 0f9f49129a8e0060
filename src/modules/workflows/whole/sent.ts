import type { Step, Transition } from "../table.ts"

/* A whole graph as a client sends it (contract B5.3.8). */

/** `id` is that of a step of the workflow, or any text that stands for a new step. */
type SentStep = Pick<Step, "id" | "type" | "name" | "position" | "config" | "templateId">

interface SentTransition extends Pick<Transition, "fromStepId" | "toStepId" | "branch" | "priority"> {
  /** Undefined for a new transition. */
  readonly id: string | undefined
}

export interface SentGraph {
  readonly steps: readonly SentStep[]
  readonly transitions: readonly SentTransition[]
}

/** A graph to be validated. Parts that could not be read are undefined, so that positions stay. */
export interface ReadGraph {
  readonly steps: readonly (ReadStep | undefined)[]
  readonly transitions: readonly (ReadTransition | undefined)[]
}

export type ReadStep = Pick<SentStep, "id" | "type" | "name" | "config" | "templateId">
export type ReadTransition = Pick<SentTransition, "fromStepId" | "toStepId" | "branch">

/** The template that a step sends: the one beside the config counts. */
export const templateNamed = ({ templateId, config }: Pick<Step, "templateId" | "config">): unknown =>
  templateId ?? config.templateId
