import type { AlertState } from "../../../kernel/alert-state.ts"
import { minute } from "../../../kernel/clock.ts"
import { lateAfterMs, type QueueFigures } from "./counts.ts"

/** An alert ends well below its threshold, so that it does not begin again at once. */
const [youngMs, many, few] = [5 * minute, 10, 5]

/**
 * Mail that waits too long: no mail was handed over since it was first due, or many messages were tried without
 * success. A single recipient whose server defers mail causes no alert while other mail is sent, nor does mail that
 * waits for the rate limit of its project. Bulk mail is ignored, because a campaign may take hours.
 */
export const queueAlertStates = (queues: readonly QueueFigures[], isPaused = false): AlertState[] =>
  queues
    .filter(({ lane }) => lane !== "bulk")
    .map((queue) => ({
      key: `queue ${queue.lane}`,
      active: isLate(queue),
      sentence: `Mail has waited for ${Math.floor(queue.oldestMs / minute)} minutes and ${messagesWait(queue.waiting)} (${queue.lane}): ${isPaused ? "sending is paused, and mailstead doctor says why" : "look at the transports and at the limits"}.`,
    }))

const messagesWait = (count: number): string => (count === 1 ? "1 message waits" : `${count} messages wait`)

function isLate({ deferred, unservedMs }: QueueFigures): boolean | undefined {
  if (deferred >= many || (unservedMs ?? 0) >= lateAfterMs) return true
  return deferred < few && unservedMs !== undefined && unservedMs < youngMs ? false : undefined
}
