import type { Engine } from "../../engine.ts"
import type { Module } from "../../module.ts"
import type { SafeFetch } from "../../net/safe-fetch.ts"
import { createReportActions, type ReportDeps } from "./actions.ts"
import { createReportJobs } from "./jobs.ts"
import { createPostmarkReader } from "./postmark-thread.ts"
import { reportRoutes } from "./routes.ts"
import { createSnsReceiver } from "./sns/receive.ts"

interface ReportModuleDeps extends ReportDeps {
  readonly outbound: SafeFetch
}

/** What providers report of mail that has left: deliveries, bounces, complaints, opens, clicks. */
export function createReports(
  engine: Pick<Engine, "store" | "clock" | "realClock" | "config" | "log">,
  { outbound, ...deps }: ReportModuleDeps,
) {
  const { ses, postmark } = engine.config
  const { webhookUser: user, webhookPassword: password } = postmark
  const actions = createReportActions(engine, deps)
  const receivers = {
    sns:
      ses.topics.length > 0
        ? createSnsReceiver({ ...engine, clock: engine.realClock, outbound, topics: ses.topics })
        : undefined,
    postmark: user !== null && password !== null ? { user, password, read: createPostmarkReader() } : undefined,
  }
  return {
    name: "reports",
    actions,
    routes: (protect) => reportRoutes(actions, receivers, protect),
    ...createReportJobs(engine),
  } satisfies Module
}
