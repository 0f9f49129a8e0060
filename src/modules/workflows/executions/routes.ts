import { Type as t } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { about, answers, id as documentId, oneOf, query as queryOf, refuses } from "../../../http/openapi/describe.ts"
import { pageAnswer, pageIn, pageList, pageQuery } from "../../../http/page.ts"
import { pathId } from "../../../http/path-id.ts"
import type { Protect } from "../../../http/protect.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import { executionStatuses } from "../table.ts"
import { workflowId } from "../wire.ts"
import type { ExecutionActions } from "./actions.ts"
import {
  contactExecutionExample,
  contactExecutionSchema,
  executionExample,
  executionSchema,
  flowExample,
  flowSchema,
  wholeExecutionExample,
  wholeExecutionSchema,
} from "./document.ts"
import { filterIn, presentExecution, presentFlow, presentOfContact, presentWholeExecution, startBody } from "./wire.ts"

const executionId = (params: { executionId: string }) => pathId("Execution", params.executionId)

const filters = queryOf({
  status: oneOf(executionStatuses),
  stepId: about("Those that stand on this step.", documentId()),
  contactId: about("Those of this contact.", documentId()),
})

export const executionRoutes = (executions: ExecutionActions, protect: Protect) =>
  new Elysia({ prefix: "/workflows/:id/executions", detail: { tags: ["Workflows"] } })
    .use(protect({ accept: "member" }))
    .post(
      "/",
      async ({ project, params, body, set }) => {
        const context = (body.context ?? {}) as JsonObject
        const started = await executions.start(project.id, workflowId(params), body.contactId.toLowerCase(), context)
        set.status = 201
        return presentExecution(started)
      },
      {
        body: startBody,
        detail: {
          operationId: "startWorkflow",
          summary: "Start a workflow for a contact",
          description: "Whatever its trigger. Refused while it is disabled, and when the contact may not enter again.",
          responses: { ...answers(201, executionSchema, executionExample), ...refuses(400, 409) },
        },
      },
    )
    .get(
      "/",
      async ({ project, params, query }) => {
        const paging = pageIn(query)
        const { rows, total } = await executions.list(project.id, workflowId(params), filterIn(query), paging)
        return pageList(rows, { paging, total, present: presentExecution })
      },
      {
        detail: {
          operationId: "listWorkflowExecutions",
          summary: "List the executions of a workflow, newest first",
          parameters: [...pageQuery, ...filters],
          responses: { ...pageAnswer(executionSchema, executionExample), ...refuses(400) },
        },
      },
    )
    .post(
      "/cancel-all",
      async ({ project, params }) => ({ cancelled: await executions.cancelAll(project.id, workflowId(params)) }),
      {
        detail: {
          operationId: "cancelWorkflowExecutions",
          summary: "Cancel every active execution",
          responses: answers(200, t.Object({ cancelled: about("How many there were.", t.Integer()) }), {
            cancelled: 4,
          }),
        },
      },
    )
    .get(
      "/:executionId",
      async ({ project, params }) =>
        presentWholeExecution(await executions.get(project.id, workflowId(params), executionId(params))),
      {
        detail: {
          operationId: "getWorkflowExecution",
          summary: "Get an execution with its steps",
          responses: answers(200, wholeExecutionSchema, wholeExecutionExample),
        },
      },
    )
    .delete(
      "/:executionId",
      async ({ project, params }) =>
        presentExecution(await executions.cancel(project.id, workflowId(params), executionId(params))),
      {
        detail: {
          operationId: "cancelWorkflowExecution",
          summary: "Cancel an execution",
          description: "Mail that it has stored is sent all the same.",
          responses: { ...answers(200, executionSchema, executionExample), ...refuses(409) },
        },
      },
    )

/** What people see of the contacts in a workflow, and of the workflows of a contact (ours). */
export const overviewRoutes = (executions: ExecutionActions, protect: Protect) =>
  new Elysia({ detail: { tags: ["Workflows"] } })
    .use(protect({ accept: "member" }))
    .get(
      "/workflows/:id/flow",
      async ({ project, params }) => presentFlow(await executions.flow(project.id, workflowId(params))),
      {
        detail: {
          operationId: "getWorkflowFlow",
          summary: "Get how many contacts stand on each step, and how often each exit was taken",
          responses: answers(200, flowSchema, flowExample),
        },
      },
    )
    .get(
      "/contacts/:id/workflows",
      async ({ project, params }) =>
        (await executions.ofContact(project.id, pathId("Contact", params.id))).map(presentOfContact),
      {
        detail: {
          operationId: "listContactWorkflows",
          summary: "List the latest executions of a contact, newest first",
          responses: answers(200, t.Array(contactExecutionSchema), [contactExecutionExample]),
        },
      },
    )
