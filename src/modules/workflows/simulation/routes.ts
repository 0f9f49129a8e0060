import { Elysia } from "elysia"
import { answers } from "../../../http/openapi/describe.ts"
import { pathId } from "../../../http/path-id.ts"
import type { Protect } from "../../../http/protect.ts"
import type { Simulate } from "./actions.ts"
import { simulationExample, simulationSchema } from "./document.ts"
import { presentSimulation, simulationBody, simulationIn } from "./wire.ts"

export const simulationRoutes = (simulate: Simulate, protect: Protect) =>
  new Elysia({ prefix: "/workflows/:id", detail: { tags: ["Workflows"] } })
    .use(protect({ accept: "member" }))
    .post(
      "/simulate",
      async ({ project, params, body }) =>
        presentSimulation(await simulate(project.id, pathId("Workflow", params.id), simulationIn(body))),
      {
        body: simulationBody,
        detail: {
          operationId: "simulateWorkflow",
          summary: "Run a workflow in virtual time",
          description:
            "Answers each step with its time, its branch and what it would have done. Nothing is stored, sent or called; events of the changes start no other workflow.",
          responses: answers(200, simulationSchema, simulationExample),
        },
      },
    )
