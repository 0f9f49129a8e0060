import { defineSignal, isSignal, type Signal } from "../../bus/signal.ts"
import { nilId } from "../../kernel/ids.ts"
import type { Project } from "./table.ts"

/**
 * The project was disabled (contract B9.4.5), and its running work must be ended: all of it, or when the project has been
 * enabled again, what has an id before `before`. `reason` is set only the first time; a subscriber that works in slices
 * emits the signal again without it.
 */
export const projectDisabled = defineSignal<{ before?: string; reason?: Project["disabledReason"] }>("project.disabled")

/** The last `before` of the projects of these signals: each project once, however many subscribers work in slices. */
export function disabledIn(signals: readonly Signal[]): ReadonlyMap<string, string> {
  const last = new Map<string, string>()
  for (const signal of signals)
    if (isSignal(signal, projectDisabled)) {
      const { projectId, payload } = signal
      const { before = nilId } = payload
      if (before >= (last.get(projectId) ?? nilId)) last.set(projectId, before)
    }
  return last
}
