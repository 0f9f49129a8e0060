import { Elysia } from "elysia"
import { answers, refuses } from "../../../http/openapi/describe.ts"
import { pathId } from "../../../http/path-id.ts"
import type { Protect } from "../../../http/protect.ts"
import { bodyFaults } from "../../../http/validation.ts"
import { invalid } from "../../../kernel/errors.ts"
import { parseId } from "../../../kernel/ids.ts"
import { replacedExample, replacedSchema } from "../document.ts"
import { presentWhole } from "../present.ts"
import type { ReplacedWorkflow, WholeGraphActions } from "./actions.ts"
import { graphIn, newGraphBody, readableIn } from "./wire.ts"

const presentReplaced = ({ ids, ...workflow }: ReplacedWorkflow) => ({
  ...presentWhole(workflow),
  ids: Object.fromEntries(ids),
})

/**
 * @throws {DomainError} 422 with every fault of a body that is not a graph, including those of its readable parts
 */
async function requireShape(
  graph: Pick<WholeGraphActions, "faults">,
  projectId: string,
  workflowId: string,
  body: unknown,
): Promise<void> {
  const ofBody = bodyFaults(newGraphBody, body, false)
  if (ofBody.length === 0) return
  const read = readableIn(body)
  throw invalid(read ? [...ofBody, ...(await graph.faults(projectId, parseId(workflowId), read))] : ofBody)
}

export const wholeGraphRoutes = (graph: WholeGraphActions, protect: Protect) =>
  new Elysia({ prefix: "/workflows/:id", detail: { tags: ["Workflows"] } })
    .use(protect({ accept: "member" }))
    .put(
      "/graph",
      async ({ project, params, body }) =>
        presentReplaced(await graph.replace(project.id, pathId("Workflow", params.id), graphIn(body), body.version)),
      {
        body: newGraphBody,
        transform: ({ project, params, body }) => requireShape(graph, project.id, params.id, body),
        detail: {
          operationId: "replaceWorkflowGraph",
          summary: "Replace the graph of a workflow",
          description:
            "All steps and transitions in one change; what is left out is deleted. Every fault is reported under its path. A graph that has changed since it was read is not replaced.",
          responses: { ...answers(200, replacedSchema, replacedExample), ...refuses(409) },
        },
      },
    )
