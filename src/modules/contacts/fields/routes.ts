import { Elysia } from "elysia"
import { answers, refuses } from "../../../http/openapi/describe.ts"
import { countIn } from "../../../http/page.ts"
import type { Protect } from "../../../http/protect.ts"
import { byCaller } from "../../audit/index.ts"
import type { FieldActions } from "./actions.ts"
import {
  catalogueExample,
  catalogueSchema,
  defaultValues,
  deletedSchema,
  maxValues,
  usageExample,
  usageSchema,
  valuesExample,
  valuesQuery,
  valuesSchema,
} from "./document.ts"
import { parseField, shownName } from "./name.ts"

export const fieldRoutes = (fields: FieldActions, protect: Protect) =>
  new Elysia({ prefix: "/contacts/fields", detail: { tags: ["Contacts"] } })
    .use(protect({ accept: "member" }))
    .get(
      "/",
      async ({ project }) => {
        const list = await fields.list(project.id)
        return { fields: list, count: list.length }
      },
      {
        detail: {
          operationId: "listFields",
          summary: "List the fields of contacts",
          description: "The fields that every contact has, and every key of `data` that was ever used.",
          responses: answers(200, catalogueSchema, catalogueExample),
        },
      },
    )
    .get(
      "/:field/values",
      async ({ project, params, query }) => {
        const name = parseField(params.field)
        const limit = countIn(query.limit, defaultValues, maxValues)
        const values = await fields.values(project.id, name, limit)
        return { field: shownName(name), values, count: values.length, limit }
      },
      {
        detail: {
          operationId: "listFieldValues",
          summary: "List the values of a field",
          description: "`profile.tier` leads to a value inside another.",
          parameters: valuesQuery,
          responses: answers(200, valuesSchema, valuesExample),
        },
      },
    )
    .get(
      "/:field/usage",
      async ({ project, params }) => {
        const { segments, campaigns, workflows, contactCount } = await fields.usage(
          project.id,
          parseField(params.field),
        )
        return {
          usedInSegments: segments,
          usedInCampaigns: campaigns,
          usedInWorkflows: workflows,
          contactCount,
          canDelete: true,
        }
      },
      {
        detail: {
          operationId: "getFieldUsage",
          summary: "Tell what uses a field",
          responses: answers(200, usageSchema, usageExample),
        },
      },
    )
    .delete(
      "/:field",
      async ({ project, params, caller, peer }) => ({
        deletedFrom: await fields.remove(project.id, parseField(params.field), byCaller(caller, peer())),
      }),
      {
        detail: {
          operationId: "deleteField",
          summary: "Delete a field from all contacts",
          description: "Its type is forgotten. Conditions that name it stay, and match nothing.",
          responses: { ...answers(200, deletedSchema, { deletedFrom: 130 }), ...refuses(400) },
        },
      },
    )
