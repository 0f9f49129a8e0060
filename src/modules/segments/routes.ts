import { Type as t } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { about, answers, bareRefusal, query as queryOf, refuses } from "../../http/openapi/describe.ts"
import { given, pageAnswer, pageIn, pageList, pageQuery } from "../../http/page.ts"
import { pathId } from "../../http/path-id.ts"
import type { Protect } from "../../http/protect.ts"
import { parseId } from "../../kernel/ids.ts"
import { contactExample, contactSchema, presentContact } from "../contacts/index.ts"
import type { SegmentActions } from "./actions.ts"
import { computedSchema, refreshedSchema, segmentExample, segmentSchema } from "./document.ts"
import { changeIn, fieldsIn, newSegmentBody, presentSegment, requireCondition, segmentChangeBody } from "./wire.ts"

const segmentAnswer = answers(200, segmentSchema, segmentExample)

export const segmentRoutes = (segments: SegmentActions, protect: Protect) => {
  /** A STATIC segment has no condition, so a sent one is ignored, even if it is invalid (contract B3.2.4). */
  async function ignoreCondition(projectId: string, id: string, sent: unknown): Promise<void> {
    const body = sent as Record<string, unknown>
    const known = parseId(id)
    if (body.condition !== undefined && known !== undefined && (await segments.isStatic(projectId, known)))
      delete body.condition
  }

  return new Elysia({ prefix: "/segments", detail: { tags: ["Segments"] } })
    .use(protect({ accept: "member" }))
    .get(
      "/",
      async ({ project, query }) => {
        const contactId = given(query.contactId)?.toLowerCase()
        const found =
          contactId === undefined ? segments.list(project.id) : segments.listOfContact(project.id, contactId)
        return (await found).map(presentSegment)
      },
      {
        detail: {
          operationId: "listSegments",
          summary: "List segments",
          description: "All of them, or those that a contact is in now; the newest first.",
          parameters: queryOf({ contactId: about("Segments that this contact is in.", t.String()) }),
          responses: answers(200, t.Array(segmentSchema), [segmentExample]),
        },
      },
    )
    .post(
      "/",
      async ({ project, body, set }) => {
        const segment = await segments.create(project.id, fieldsIn(body))
        set.status = 201
        return presentSegment(segment)
      },
      {
        transform: ({ body }) => requireCondition(body),
        body: newSegmentBody,
        detail: {
          operationId: "createSegment",
          summary: "Create a segment",
          description: "Each fault of a condition is reported under its path.",
          responses: {
            ...answers(201, segmentSchema, segmentExample),
            ...bareRefusal("condition is required for a DYNAMIC segment."),
          },
        },
      },
    )
    .get(
      "/:id",
      async ({ project, params }) => presentSegment(await segments.get(project.id, pathId("Segment", params.id))),
      { detail: { operationId: "getSegment", summary: "Get a segment", responses: segmentAnswer } },
    )
    .patch(
      "/:id",
      async ({ project, params, body }) =>
        presentSegment(await segments.change(project.id, pathId("Segment", params.id), changeIn(body))),
      {
        transform: ({ project, params, body }) => ignoreCondition(project.id, params.id, body),
        body: segmentChangeBody,
        detail: {
          operationId: "changeSegment",
          summary: "Change a segment",
          description:
            "What is left out stays as it is; the type cannot change. When tracking ends, recorded membership is deleted.",
          responses: { ...segmentAnswer, ...refuses(400) },
        },
      },
    )
    .delete(
      "/:id",
      async ({ project, params, set }) => {
        await segments.remove(project.id, pathId("Segment", params.id))
        set.status = 204
      },
      {
        detail: {
          operationId: "deleteSegment",
          summary: "Delete a segment",
          description: "Refused while a campaign that is not over uses it. No exit events are recorded.",
          responses: { ...answers(204), ...refuses(409) },
        },
      },
    )
    .get(
      "/:id/contacts",
      async ({ project, params, query }) => {
        const paging = pageIn(query)
        const { rows, total } = await segments.listContacts(project.id, pathId("Segment", params.id), paging)
        return pageList(rows, { paging, total, present: presentContact })
      },
      {
        detail: {
          operationId: "listSegmentContacts",
          summary: "List the contacts of a segment",
          description: "As they are now, the newest contact first.",
          parameters: pageQuery,
          responses: pageAnswer(contactSchema, contactExample),
        },
      },
    )
    .post("/:id/compute", ({ project, params }) => segments.compute(project.id, pathId("Segment", params.id)), {
      detail: {
        operationId: "computeSegment",
        summary: "Bring recorded membership up to date",
        description: "Every join and leave is recorded with an event.",
        responses: { ...answers(200, computedSchema, { added: 2, removed: 1, total: 14 }), ...refuses(400) },
      },
    })
    .post(
      "/:id/refresh",
      async ({ project, params }) => ({
        memberCount: await segments.renewCount(project.id, pathId("Segment", params.id)),
      }),
      {
        detail: {
          operationId: "refreshSegment",
          summary: "Count the members anew",
          description: "Only counts: no membership is recorded, and no event.",
          responses: answers(200, refreshedSchema, { memberCount: 14 }),
        },
      },
    )
}
