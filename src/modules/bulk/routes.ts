import { Elysia } from "elysia"
import { answers } from "../../http/openapi/describe.ts"
import { pathId } from "../../http/path-id.ts"
import type { Protect } from "../../http/protect.ts"
import { presentQueued, queuedAnswer } from "../../jobs/tracked/wire.ts"
import { byCaller } from "../audit/index.ts"
import type { Bulk } from "./actions.ts"
import type { Operation } from "./table.ts"
import { bulkBody, bulkExample, bulkSchema, presentBulk, selectionIn } from "./wire.ts"

const message = "The job is queued. Ask for its progress by the job id."

const summaries: Record<Operation, string> = {
  subscribe: "Subscribe many contacts",
  unsubscribe: "Unsubscribe many contacts",
  delete: "Delete many contacts",
}

export const bulkRoutes = (bulk: Bulk, protect: Protect) =>
  new Elysia({ prefix: "/contacts", detail: { tags: ["Contacts"] } })
    .use(startRoute("subscribe", bulk, protect))
    .use(startRoute("unsubscribe", bulk, protect))
    .use(startRoute("delete", bulk, protect))
    .use(protect({ accept: "member" }))
    .get(
      "/bulk/:jobId",
      async ({ project, params }) => presentBulk(await bulk.get(project.id, pathId("Bulk job", params.jobId))),
      {
        detail: {
          operationId: "getBulkJob",
          summary: "Get the progress of a bulk job",
          description: "Jobs can be read for 30 days.",
          responses: answers(200, bulkSchema, bulkExample),
        },
      },
    )

const startRoute = (operation: Operation, bulk: Bulk, protect: Protect) =>
  new Elysia().use(protect({ accept: "member" })).post(
    `/bulk-${operation}`,
    async ({ project, body, caller, peer, set }) => {
      const jobId = await bulk.start(project.id, operation, selectionIn(body), byCaller(caller, peer()))
      set.status = 202
      return presentQueued(jobId, message)
    },
    {
      body: bulkBody,
      detail: {
        operationId: `${operation}Contacts`,
        summary: summaries[operation],
        description:
          "By their ids, or all that a query finds. Contacts that have that state already count as succeeded, without an event.",
        responses: queuedAnswer(message),
      },
    },
  )
