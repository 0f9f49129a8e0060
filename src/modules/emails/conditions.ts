import type { Condition } from "../../condition.ts"
import { minute } from "../../kernel/clock.ts"
import type { QueueFigures } from "./counts.ts"

const [oldMs, youngMs] = [15 * minute, 5 * minute]

/** Mail that waits too long. A campaign takes as long as it takes, so the lane of bulk mail is not looked at. */
export const queueConditions = (queues: readonly QueueFigures[]): Condition[] =>
  queues
    .filter(({ lane }) => lane !== "bulk")
    .map(({ lane, waiting, overdueMs }) => ({
      key: `queue ${lane}`,
      active: overdueMs >= oldMs ? true : overdueMs < youngMs ? false : undefined,
      sentence: `Mail has been due for ${Math.floor(overdueMs / minute)} minutes and ${waiting} messages wait (${lane}): look at the transports and at the limits.`,
    }))
