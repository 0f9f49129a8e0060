import { defineSignal } from "../../bus/signal.ts"
import type { Execution, StepExecution } from "./table.ts"

type Which = Pick<Execution, "workflowId" | "contactId"> & { readonly executionId: string }

/** An execution has started a step. */
export const stepStarted = defineSignal<Which & Pick<StepExecution, "name" | "type">>("step.started")

/** An execution has come to its end, of whatever kind; not one that is deleted before. */
export const executionEnded = defineSignal<Which & Pick<Execution, "status" | "exitReason">>("execution.ended")
