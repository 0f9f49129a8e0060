import { Type } from "@sinclair/typebox"
import type { Subscriber } from "../../bus/bus.ts"
import { isSignal } from "../../bus/signal.ts"
import type { Engine } from "../../engine.ts"
import { defineJob, done, handles, type JobHandler } from "../../jobs/define.ts"
import { second } from "../../kernel/clock.ts"
import { nilId } from "../../kernel/ids.ts"
import { emailReported } from "../emails/index.ts"
import type { Reputation } from "./actions.ts"

const checkReputation = defineJob(
  "reputation.check",
  Type.Object({ projectId: Type.String(), metric: Type.Union([Type.Literal("bounce"), Type.Literal("complaint")]) }),
)

/** A check reads every mail of a project, so there is at most one per second, at the end of the second. */
const everyMs = second

/** Checks a project after each permanent bounce and each complaint (contract B9.4.4). */
export function createReputationJobs(
  { jobs }: Pick<Engine, "jobs">,
  reputation: Pick<Reputation, "check">,
): { handlers: JobHandler[]; subscribers: Subscriber[] } {
  const handlers = [
    handles(checkReputation, async ({ projectId, metric }) => {
      await reputation.check(projectId, metric)
      return done
    }),
  ]
  const returns: Subscriber = {
    name: "reputation.returns",
    on: [emailReported],
    concerns: (projectId) => projectId !== nilId,
    async handle(signals, unit) {
      const period = Math.floor(unit.now / everyMs)
      const delayMs = (period + 1) * everyMs - unit.now
      for (const signal of signals) {
        if (!isSignal(signal, emailReported) || signal.projectId === nilId) continue
        const payload = { projectId: signal.projectId, metric: signal.payload.kind }
        const uniqueKey = `reputation:${payload.projectId}:${payload.metric}:${period}`
        await jobs.enqueue(unit, checkReputation, payload, { delayMs, uniqueKey })
      }
    },
  }
  return { handlers, subscribers: [returns] }
}
