import { Type as t } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { about, answers, oneOf, query as queryOf, refuses } from "../../http/openapi/describe.ts"
import { pageAnswer, pageIn, pageList, pageQuery } from "../../http/page.ts"
import type { Protect } from "../../http/protect.ts"
import type { WorkflowActions } from "./actions.ts"
import { listedExample, listedSchema, wholeExample, wholeSchema, workflowExample, workflowSchema } from "./document.ts"
import { presentListed, presentWhole, presentWorkflow } from "./present.ts"
import { sortKeys } from "./store.ts"
import { changeIn, fieldsIn, newWorkflowBody, queryIn, workflowChangeBody, workflowId } from "./wire.ts"

const filters = queryOf({
  search: about("Occurs in name or description, whatever the case.", t.String()),
  sort: about("`createdAt` when left out.", oneOf(sortKeys)),
  dir: about("`desc` when left out.", oneOf(["asc", "desc"])),
})

export const workflowRoutes = (workflows: WorkflowActions, protect: Protect) =>
  new Elysia({ prefix: "/workflows", detail: { tags: ["Workflows"] } })
    .use(protect({ accept: "member" }))
    .get(
      "/",
      async ({ project, query }) => {
        const paging = pageIn(query)
        const { rows, total } = await workflows.list(project.id, queryIn(query), paging)
        return pageList(rows, { paging, total, present: presentListed })
      },
      {
        detail: {
          operationId: "listWorkflows",
          summary: "List workflows",
          parameters: [...pageQuery, ...filters],
          responses: pageAnswer(listedSchema, listedExample),
        },
      },
    )
    .post(
      "/",
      async ({ project, body, set }) => {
        const workflow = await workflows.create(project.id, fieldsIn(body))
        set.status = 201
        return presentWhole(workflow)
      },
      {
        body: newWorkflowBody,
        detail: {
          operationId: "createWorkflow",
          summary: "Create a workflow",
          description: "It is disabled, and has a TRIGGER step.",
          responses: answers(201, wholeSchema, wholeExample),
        },
      },
    )
    .get("/:id", async ({ project, params }) => presentWhole(await workflows.get(project.id, workflowId(params))), {
      detail: {
        operationId: "getWorkflow",
        summary: "Get a workflow with its graph",
        responses: answers(200, wholeSchema, wholeExample),
      },
    })
    .patch(
      "/:id",
      async ({ project, params, body }) =>
        presentWorkflow(await workflows.change(project.id, workflowId(params), changeIn(body))),
      {
        body: workflowChangeBody,
        detail: {
          operationId: "changeWorkflow",
          summary: "Change a workflow",
          description: "What is left out stays as it is.",
          responses: { ...answers(200, workflowSchema, workflowExample), ...refuses(409) },
        },
      },
    )
    .delete(
      "/:id",
      async ({ project, params, set }) => {
        await workflows.remove(project.id, workflowId(params))
        set.status = 204
      },
      {
        detail: {
          operationId: "deleteWorkflow",
          summary: "Delete a workflow",
          responses: { ...answers(204), ...refuses(409) },
        },
      },
    )
