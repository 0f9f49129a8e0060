import { Type as t } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { about, answers, query as queryOf, refuses } from "../../http/openapi/describe.ts"
import { pathId } from "../../http/path-id.ts"
import type { Protect } from "../../http/protect.ts"
import { bodyFaults } from "../../http/validation.ts"
import { invalid } from "../../kernel/errors.ts"
import { parseId } from "../../kernel/ids.ts"
import { isObject } from "../../kernel/json.ts"
import { stepExample, stepSchema, transitionExample, transitionSchema } from "./document.ts"
import type { GraphActions } from "./graph-actions.ts"
import { presentStep, presentTransition } from "./present.ts"
import {
  configIn,
  newStepBody,
  newTransitionBody,
  stepChangeBody,
  stepChangeIn,
  stepIn,
  transitionIn,
  workflowId,
} from "./wire.ts"

/**
 * @throws {DomainError} 422 with every fault of a change of a step whose config has faults: the config depends on the
 * stored type
 */
async function requireConfig(
  graph: Pick<GraphActions, "changeFaults">,
  projectId: string,
  params: { readonly id: string; readonly stepId: string },
  body: unknown,
): Promise<void> {
  const [workflow, step] = [parseId(params.id), parseId(params.stepId)]
  if (workflow === undefined || step === undefined || !isObject(body) || !isObject(body.config)) return
  const { templateId } = body
  const faults = await graph.changeFaults(projectId, workflow, step, { config: configIn(body.config), templateId })
  if (faults.length > 0) throw invalid([...bodyFaults(stepChangeBody, body, true), ...faults])
}

export const graphRoutes = (graph: GraphActions, protect: Protect) =>
  new Elysia({ prefix: "/workflows/:id", detail: { tags: ["Workflows"] } })
    .use(protect({ accept: "member" }))
    .post(
      "/steps",
      async ({ project, params, body, set }) => {
        const step = await graph.addStep(project.id, workflowId(params), stepIn(body))
        set.status = 201
        return presentStep(step)
      },
      {
        body: newStepBody,
        detail: {
          operationId: "addWorkflowStep",
          summary: "Add a step",
          description: "Without `autoConnect: false` the newest step that has no exit leads to it.",
          responses: { ...answers(201, stepSchema, stepExample), ...refuses(400) },
        },
      },
    )
    .patch(
      "/steps/:stepId",
      async ({ project, params, body }) =>
        presentStep(
          await graph.changeStep(project.id, workflowId(params), pathId("Step", params.stepId), stepChangeIn(body)),
        ),
      {
        body: stepChangeBody,
        transform: ({ project, params, body }) => requireConfig(graph, project.id, params, body),
        detail: {
          operationId: "changeWorkflowStep",
          summary: "Change a step",
          description: "A config replaces the whole one. That of the trigger cannot be changed.",
          responses: { ...answers(200, stepSchema, stepExample), ...refuses(400, 409) },
        },
      },
    )
    .delete(
      "/steps/:stepId",
      async ({ project, params, query, set }) => {
        await graph.removeStep(project.id, workflowId(params), pathId("Step", params.stepId), query.splice === "true")
        set.status = 204
      },
      {
        detail: {
          operationId: "deleteWorkflowStep",
          summary: "Delete a step with its transitions",
          parameters: queryOf({ splice: about("Lead the entries of the step to its plain target.", t.Boolean()) }),
          responses: { ...answers(204), ...refuses(400, 409) },
        },
      },
    )
    .post(
      "/transitions",
      async ({ project, params, body, set }) => {
        const transition = await graph.addTransition(project.id, workflowId(params), transitionIn(body))
        set.status = 201
        return presentTransition(transition)
      },
      {
        body: newTransitionBody,
        detail: {
          operationId: "addWorkflowTransition",
          summary: "Add a transition between two steps",
          description: "A loop without a DELAY or WAIT_FOR_EVENT step is refused.",
          responses: { ...answers(201, transitionSchema, transitionExample), ...refuses(400) },
        },
      },
    )
    .delete(
      "/transitions/:transitionId",
      async ({ project, params, set }) => {
        await graph.removeTransition(project.id, workflowId(params), pathId("Transition", params.transitionId))
        set.status = 204
      },
      {
        detail: {
          operationId: "deleteWorkflowTransition",
          summary: "Delete a transition",
          responses: { ...answers(204), ...refuses(409) },
        },
      },
    )
