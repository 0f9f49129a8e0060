import { Elysia } from "elysia"
import { answers, refuses } from "../../../http/openapi/describe.ts"
import { pathId } from "../../../http/path-id.ts"
import type { Protect } from "../../../http/protect.ts"
import { addedSchema, removedSchema } from "../document.ts"
import { creationIn, formerMembersBody, newMembersBody } from "../wire.ts"
import type { MemberActions } from "./actions.ts"

/** The members of STATIC segments (contract B3.3). */
export const memberRoutes = (members: MemberActions, protect: Protect) =>
  new Elysia({ prefix: "/segments", detail: { tags: ["Segments"] } })
    .use(protect({ accept: "member" }))
    .post(
      "/:id/members",
      ({ project, params, body }) =>
        members.add(project.id, pathId("Segment", params.id), body.emails, creationIn(body)),
      {
        body: newMembersBody,
        detail: {
          operationId: "addSegmentMembers",
          summary: "Add contacts to a static segment",
          responses: {
            ...answers(200, addedSchema, { added: 3, created: 1, notFound: ["nobody@example.com"] }),
            ...refuses(400),
          },
        },
      },
    )
    .delete(
      "/:id/members",
      async ({ project, params, body }) => ({
        removed: await members.remove(project.id, pathId("Segment", params.id), body.emails),
      }),
      {
        body: formerMembersBody,
        detail: {
          operationId: "removeSegmentMembers",
          summary: "Remove contacts from a static segment",
          description: "Addresses that are not members are ignored.",
          responses: { ...answers(200, removedSchema, { removed: 2 }), ...refuses(400) },
        },
      },
    )
