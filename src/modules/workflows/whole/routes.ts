import { Elysia } from "elysia"
import { answers, refuses } from "../../../http/openapi/describe.ts"
import { pathId } from "../../../http/path-id.ts"
import type { Protect } from "../../../http/protect.ts"
import { replacedExample, replacedSchema } from "../document.ts"
import { presentWhole } from "../present.ts"
import type { ReplacedWorkflow, WholeGraphActions } from "./actions.ts"
import { graphIn, newGraphBody } from "./wire.ts"

export const presentReplaced = ({ ids, ...workflow }: ReplacedWorkflow) => ({
  ...presentWhole(workflow),
  ids: Object.fromEntries(ids),
})

export const wholeGraphRoutes = (graph: WholeGraphActions, protect: Protect) =>
  new Elysia({ prefix: "/workflows/:id", detail: { tags: ["Workflows"] } })
    .use(protect({ accept: "member" }))
    .put(
      "/graph",
      async ({ project, params, body }) =>
        presentReplaced(await graph.replace(project.id, pathId("Workflow", params.id), graphIn(body), body.version)),
      {
        body: newGraphBody,
        detail: {
          operationId: "replaceWorkflowGraph",
          summary: "Replace the graph of a workflow",
          description:
            "All steps and transitions in one change; what is left out is deleted. Every fault is reported under its path. A graph that has changed since it was read is not replaced.",
          responses: { ...answers(200, replacedSchema, replacedExample), ...refuses(409) },
        },
      },
    )
