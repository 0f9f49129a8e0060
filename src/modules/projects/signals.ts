import { defineSignal, isSignal, type Signal } from "../../bus/signal.ts"
import type { Project } from "./table.ts"

/**
 * The project is disabled since `at` (contract B9.4.5), and its running work must be ended. `reason` is set only the
 * first time; a subscriber that works in slices emits the signal again without it.
 */
export const projectDisabled = defineSignal<{ at: number; reason?: Project["disabledReason"] }>("project.disabled")

/** When the projects of these signals were last disabled: each project once, however many subscribers work in slices. */
export function disabledIn(signals: readonly Signal[]): ReadonlyMap<string, number> {
  const disabledAt = new Map<string, number>()
  for (const signal of signals)
    if (isSignal(signal, projectDisabled)) {
      const { projectId, payload } = signal
      disabledAt.set(projectId, Math.max(payload.at, disabledAt.get(projectId) ?? 0))
    }
  return disabledAt
}
