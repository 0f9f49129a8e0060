import type { AlertState } from "../../kernel/alert-state.ts"
import { minute } from "../../kernel/clock.ts"
import { lateAfterMs, type QueueFigures } from "./counts.ts"

/** An alert ends with some room, so that it does not begin again at once. */
const [youngMs, many, few] = [5 * minute, 10, 5]

/**
 * Mail that waits too long: nothing was handed over since it first was due, or there is much of it that was tried. One
 * recipient whose server postpones mail is no alert while other mail leaves, nor is mail that only waits for the limit
 * of its project. The lane of bulk mail is ignored, because a campaign may take hours.
 */
export const queueAlertStates = (queues: readonly QueueFigures[]): AlertState[] =>
  queues
    .filter(({ lane }) => lane !== "bulk")
    .map((queue) => ({
      key: `queue ${queue.lane}`,
      active: isLate(queue),
      sentence: `Mail has waited for ${Math.floor(queue.oldestMs / minute)} minutes and ${messagesWait(queue.waiting)} (${queue.lane}): look at the transports and at the limits.`,
    }))

const messagesWait = (count: number): string => (count === 1 ? "1 message waits" : `${count} messages wait`)

function isLate({ deferred, unservedMs }: QueueFigures): boolean | undefined {
  if (deferred >= many || (unservedMs ?? 0) >= lateAfterMs) return true
  return deferred < few && unservedMs !== undefined && unservedMs < youngMs ? false : undefined
}
