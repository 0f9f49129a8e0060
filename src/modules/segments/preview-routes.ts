import { Type as t } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { about, answers, named, refuses } from "../../http/openapi/describe.ts"
import type { Protect } from "../../http/protect.ts"
import { shape } from "../../http/schema.ts"
import { contactExample, contactSchema, presentContact } from "../contacts/index.ts"
import { conditionExample, conditionText } from "./document.ts"
import type { Preview } from "./preview.ts"

const body = named("ConditionToPreview", shape({ condition: about(conditionText, shape({})) }), {
  condition: { ...conditionExample },
})

const answer = named(
  "ConditionPreview",
  t.Object({
    count: about("How many contacts match now.", t.Integer()),
    contacts: about("The newest of them, at most ten.", t.Array(contactSchema)),
  }),
)

/** Evaluates a condition that need not be stored. For the dashboard. */
export const previewRoutes = (preview: Preview, protect: Protect) =>
  new Elysia({ prefix: "/segments", detail: { tags: ["Segments"] } }).use(protect({ accept: "member" })).post(
    "/preview",
    async ({ project, body }) => {
      const { count, contacts } = await preview(project.id, body.condition)
      return { count, contacts: contacts.map(presentContact) }
    },
    {
      body,
      detail: {
        operationId: "previewCondition",
        summary: "Preview the contacts that a condition matches",
        description: "Nothing is stored. Each fault of the condition is reported under its path.",
        responses: { ...answers(200, answer, { count: 1, contacts: [contactExample] }), ...refuses(400) },
      },
    },
  )
