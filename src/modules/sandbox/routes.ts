import { Elysia, t } from "elysia"
import { about, answers, answersWith, query } from "../../http/openapi/describe.ts"
import { pathId } from "../../http/path-id.ts"
import type { Protect } from "../../http/protect.ts"
import type { Emails } from "../emails/index.ts"
import type { SandboxActions } from "./actions.ts"

/** Routes that exist only in the sandbox (contract A8.3.5). */
export const sandboxRoutes = (sandbox: SandboxActions, emails: Pick<Emails, "get">, protect: Protect) =>
  new Elysia({ prefix: "/emails", detail: { tags: ["Sandbox"] } })
    .use(protect({ accept: "member" }))
    .get(
      "/:id/raw",
      async ({ project, params }) => {
        const { id } = await emails.get(project.id, pathId("Email", params.id))
        return new Response(Buffer.from(await sandbox.raw(id)), { headers: { "Content-Type": "message/rfc822" } })
      },
      {
        detail: {
          operationId: "getRawEmail",
          summary: "Get the captured message",
          responses: answersWith(["message/rfc822"], "The message as it would have left, or as it came in."),
        },
      },
    )
    .delete(
      "/:id",
      async ({ project, params, query: { message }, set }) => {
        const id = pathId("Email", params.id)
        await (message === "true" ? sandbox.deleteMessage(project.id, id) : sandbox.deleteOne(project.id, id))
        set.status = 204
      },
      {
        detail: {
          operationId: "deleteEmail",
          summary: "Delete an email",
          parameters: query({
            message: about("Delete the records of all recipients of the message that came in.", t.Boolean()),
          }),
          responses: answers(204),
        },
      },
    )
    .delete(
      "/",
      async ({ project, set }) => {
        await sandbox.deleteAll(project.id)
        set.status = 204
      },
      { detail: { operationId: "deleteEmails", summary: "Delete all emails of the project", responses: answers(204) } },
    )
