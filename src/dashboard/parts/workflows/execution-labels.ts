import type { Execution, ExecutionStatus, StepExecutionStatus } from "../../api/workflows.ts"

export const statusNames: Readonly<Record<ExecutionStatus, string>> = {
  RUNNING: "Running",
  WAITING: "Waiting",
  COMPLETED: "Completed",
  EXITED: "Exited",
  FAILED: "Failed",
  CANCELLED: "Cancelled",
}

export const tones: Readonly<Record<ExecutionStatus | StepExecutionStatus, string>> = {
  PENDING: "quiet",
  RUNNING: "moving",
  SCHEDULED: "engaged",
  WAITING: "engaged",
  COMPLETED: "good",
  EXITED: "good",
  FAILED: "bad",
  CANCELLED: "warning",
  SKIPPED: "quiet",
}

export const stepStatusNames: Readonly<Record<StepExecutionStatus, string>> = {
  PENDING: "Comes next",
  RUNNING: "Runs",
  SCHEDULED: "Waits",
  WAITING: "Waits for the event",
  COMPLETED: "Done",
  FAILED: "Failed",
  SKIPPED: "Skipped",
}

const reasons: Readonly<Record<string, string>> = {
  exit_step: "By an end step",
  step_failed: "A step failed",
  step_limit: "Too many steps",
  cancelled: "By hand",
  project_disabled: "The project was disabled",
  step_removed: "Its step was removed",
}

export const formatReason = ({ exitReason }: Pick<Execution, "exitReason">): string =>
  exitReason === null ? "" : (reasons[exitReason] ?? exitReason)

export const isActive = ({ status }: Pick<Execution, "status">): boolean => status === "RUNNING" || status === "WAITING"
