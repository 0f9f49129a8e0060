import { type Static, Type as t } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { about, answers, named, oneOf, orNull, query as queryOf, time } from "../../http/openapi/describe.ts"
import { countIn, given } from "../../http/page.ts"
import type { Protect } from "../../http/protect.ts"
import { iso } from "../../kernel/clock.ts"
import type { EditorActions } from "./editor.ts"
import { workflowId } from "./wire.ts"

const usualDays = 30
const maxDays = 365

const fieldsQuery = queryOf({
  eventName: about("Only the fields of events of this name, beside those of contacts.", t.String()),
})

export const fieldsSchema = named(
  "WorkflowFields",
  t.Object({
    fields: about("By name.", t.Array(t.String())),
    typedFields: t.Array(
      t.Object({
        field: t.String(),
        type: oneOf(["string", "number", "boolean", "date"]),
        category: oneOf(["Contact Fields", "Custom Data", "Event Data"]),
      }),
    ),
    count: t.Integer(),
  }),
)

const fieldsExample: Static<typeof fieldsSchema> = {
  fields: ["data.plan"],
  typedFields: [{ field: "data.plan", type: "string", category: "Custom Data" }],
  count: 1,
}

const audienceQuery = queryOf({
  days: about("How far to look back.", t.Integer({ minimum: 1, maximum: maxDays, default: usualDays })),
})

export const audienceSchema = named(
  "WorkflowAudience",
  t.Object({
    days: t.Integer(),
    since: time(),
    eventName: about("The event that starts the workflow; null for `MANUAL`.", orNull(t.String())),
    events: about("Events of that name since then that are about a contact.", t.Integer()),
    contacts: about("The contacts that they are about: each would have started at least once.", t.Integer()),
  }),
)

const audienceExample: Static<typeof audienceSchema> = {
  days: usualDays,
  since: "2026-01-01T09:15:00.000Z",
  eventName: "signup",
  events: 140,
  contacts: 128,
}

/** Routes for editors of workflows. */
export const editorRoutes = (editor: EditorActions, protect: Protect) =>
  new Elysia({ prefix: "/workflows", detail: { tags: ["Workflows"] } })
    .use(protect({ accept: "member" }))
    .get(
      "/fields",
      async ({ project, query }) => {
        const found = await editor.fields(project.id, given(query.eventName))
        return { fields: found.map(({ field }) => field), typedFields: found, count: found.length }
      },
      {
        detail: {
          operationId: "listWorkflowFields",
          summary: "List the fields that conditions of workflows can be about",
          description: "Those of contacts, and the keys in the data of the last 100 events.",
          parameters: fieldsQuery,
          responses: answers(200, fieldsSchema, fieldsExample),
        },
      },
    )
    .get(
      "/:id/audience-preview",
      async ({ project, params, query }) => {
        const days = countIn(query.days, usualDays, maxDays)
        const { since, ...rest } = await editor.audience(project.id, workflowId(params), days)
        return { ...rest, since: iso(since) }
      },
      {
        detail: {
          operationId: "previewWorkflowAudience",
          summary: "Count the contacts that would have started a workflow in the last days",
          parameters: audienceQuery,
          responses: answers(200, audienceSchema, audienceExample),
        },
      },
    )
