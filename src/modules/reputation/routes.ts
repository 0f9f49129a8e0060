import { Elysia } from "elysia"
import { bySession } from "../../http/openapi/describe.ts"
import type { Protect } from "../../http/protect.ts"
import type { Reputation } from "./actions.ts"
import { reportAnswer, wrappedReportAnswer } from "./document.ts"

/** The security report of a project (contract B8.3.8), bare and wrapped. */
export function reputationRoutes(reputation: Reputation, protect: Protect) {
  return new Elysia({ detail: { tags: ["Projects"], security: bySession } })
    .use(protect.member({ permission: "project.read" }))
    .get("/users/@me/projects/:id/security", ({ project }) => reputation.report(project.id), {
      detail: {
        operationId: "getSecurityReport",
        summary: "Bounces and complaints of a project",
        responses: reportAnswer,
      },
    })
    .get(
      "/projects/:id/security",
      async ({ project }) => ({ success: true, data: await reputation.report(project.id) }),
      {
        detail: {
          operationId: "getProjectSecurity",
          summary: "The security report in the wrapper of projects",
          responses: wrappedReportAnswer,
        },
      },
    )
}
