import { Elysia } from "elysia"
import { about, answers, named, refuses } from "../../http/openapi/describe.ts"
import type { Protect } from "../../http/protect.ts"
import { shape } from "../../http/schema.ts"
import { contactExample, presentContact } from "../contacts/index.ts"
import { conditionExample, conditionText, previewSchema } from "./document.ts"
import type { Preview } from "./preview.ts"

const body = named("ConditionToPreview", shape({ condition: about(conditionText, shape({})) }), {
  condition: { ...conditionExample },
})

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
        responses: { ...answers(200, previewSchema, { count: 1, contacts: [contactExample] }), ...refuses(400) },
      },
    },
  )
