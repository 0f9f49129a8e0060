import { Elysia } from "elysia"
import { answers, bareRefusal, refuses } from "../../http/openapi/describe.ts"
import { pageAnswer, pageIn, pageList, pageQuery } from "../../http/page.ts"
import { pathId } from "../../http/path-id.ts"
import type { Protect } from "../../http/protect.ts"
import type { Templates } from "./actions.ts"
import {
  previewExample,
  previewSchema,
  templateExample,
  templateFilters,
  templateSchema,
  usageExample,
  usageSchema,
} from "./document.ts"
import { previewBody, previewIn, savedPreviewBody } from "./preview-wire.ts"
import { sampleBody, sampleExample, sampleIn, sampleSchema } from "./sample.ts"
import {
  changeIn,
  fieldsIn,
  filterIn,
  newTemplateBody,
  orderIn,
  presentTemplate,
  requireFields,
  templateChangeBody,
} from "./wire.ts"

const templateCreated = answers(201, templateSchema, templateExample)
const templateAnswer = answers(200, templateSchema, templateExample)
const sampleAnswer = answers(200, sampleSchema, sampleExample)

export const templateRoutes = (templates: Templates, protect: Protect) =>
  new Elysia({ prefix: "/templates", detail: { tags: ["Templates"] } })
    .use(protect({ accept: "member" }))
    .get(
      "/",
      async ({ project, query }) => {
        const paging = pageIn(query)
        const { rows, total } = await templates.list(project.id, filterIn(query), orderIn(query), paging)
        return pageList(rows, { paging, total, present: presentTemplate })
      },
      {
        detail: {
          operationId: "listTemplates",
          summary: "List templates",
          parameters: [...pageQuery, ...templateFilters],
          responses: pageAnswer(templateSchema, templateExample),
        },
      },
    )
    .post(
      "/",
      async ({ project, body, set }) => {
        const template = await templates.create(project.id, fieldsIn(body))
        set.status = 201
        return presentTemplate(template)
      },
      {
        transform: ({ body }) => requireFields(body),
        body: newTemplateBody,
        detail: {
          operationId: "createTemplate",
          summary: "Create a template",
          description: "A fault in a template tag is told with its line and column.",
          responses: { ...templateCreated, ...bareRefusal("name is required.") },
        },
      },
    )
    .get(
      "/:id",
      async ({ project, params }) => presentTemplate(await templates.get(project.id, pathId("Template", params.id))),
      { detail: { operationId: "getTemplate", summary: "Get a template", responses: templateAnswer } },
    )
    .patch(
      "/:id",
      async ({ project, params, body }) =>
        presentTemplate(await templates.change(project.id, pathId("Template", params.id), changeIn(body))),
      {
        body: templateChangeBody,
        detail: {
          operationId: "changeTemplate",
          summary: "Change a template",
          description: "What is left out stays. Messages that were accepted before keep the content they had.",
          responses: templateAnswer,
        },
      },
    )
    .delete(
      "/:id",
      async ({ project, params, set }) => {
        await templates.remove(project.id, pathId("Template", params.id))
        set.status = 204
      },
      {
        detail: {
          operationId: "deleteTemplate",
          summary: "Delete a template",
          description: "Refused while a workflow step sends it. Its emails stay.",
          responses: { ...answers(204), ...refuses(409) },
        },
      },
    )
    .post(
      "/:id/duplicate",
      async ({ project, params, set }) => {
        const template = await templates.duplicate(project.id, pathId("Template", params.id))
        set.status = 201
        return presentTemplate(template)
      },
      { detail: { operationId: "duplicateTemplate", summary: "Duplicate a template", responses: templateCreated } },
    )
    .get(
      "/:id/usage",
      async ({ project, params }) => {
        const usage = await templates.usage(project.id, pathId("Template", params.id))
        return { campaigns: [], ...usage }
      },
      {
        detail: {
          operationId: "getTemplateUsage",
          summary: "Tell what uses a template",
          responses: answers(200, usageSchema, usageExample),
        },
      },
    )
    .get(
      "/:id/sample",
      async ({ project, params }) => ({ data: await templates.sample(project.id, pathId("Template", params.id)) }),
      {
        detail: {
          operationId: "getTemplateSample",
          summary: "Get the sample data of a template",
          responses: sampleAnswer,
        },
      },
    )
    .put(
      "/:id/sample",
      async ({ project, params, body }) => {
        const data = sampleIn(body)
        await templates.setSample(project.id, pathId("Template", params.id), data)
        return { data }
      },
      {
        body: sampleBody,
        detail: {
          operationId: "setTemplateSample",
          summary: "Set the sample data of a template",
          description: "The dashboard fills the preview with it. No message has it.",
          responses: sampleAnswer,
        },
      },
    )
    .post(
      "/:id/preview",
      ({ project, params, body }) =>
        templates.preview(project, { ...previewIn(body), templateId: pathId("Template", params.id) }),
      {
        body: savedPreviewBody,
        detail: {
          operationId: "previewTemplate",
          summary: "Preview a template",
          description: "Renders it for a contact, or with given data. Stores nothing.",
          responses: answers(200, previewSchema, previewExample),
        },
      },
    )
    .post("/preview", ({ project, body }) => templates.preview(project, previewIn(body)), {
      body: previewBody,
      detail: {
        operationId: "previewContent",
        summary: "Preview content that is not saved",
        description: "Renders it for a contact, or with given data. Stores nothing.",
        responses: { ...answers(200, previewSchema, previewExample), ...refuses(404) },
      },
    })
