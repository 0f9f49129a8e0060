import { Elysia } from "elysia"
import { bySession } from "../../../http/openapi/describe.ts"
import { pathId } from "../../../http/path-id.ts"
import type { Protect } from "../../../http/protect.ts"
import { canonicalAddress } from "../../../kernel/email-address.ts"
import type { Accounts } from "../actions.ts"
import { memberAnswer, memberCreated, membersAnswer, refusal } from "../document.ts"
import { memberBody, newMemberBody, presentMember } from "../wire.ts"

const wrapped = <T>(data: T) => ({ success: true as const, data })

/** The members of a project (contract B8.3.10 to 13). */
export function memberRoutes(accounts: Accounts, protect: Protect) {
  const detail = { tags: ["Members"], security: bySession }
  const shown = new Elysia({ prefix: "/projects/:id/members", detail })
    .use(protect.member({ permission: "project.read" }))
    .get("/", async ({ project }) => wrapped((await accounts.members.list(project.id)).map(presentMember)), {
      detail: { operationId: "listProjectMembers", summary: "List the members of a project", responses: membersAnswer },
    })

  const managed = new Elysia({ prefix: "/projects/:id/members", detail })
    .use(protect.member({ permission: "project.manage" }))
    .post(
      "/",
      async ({ project, body, user, peer, set }) => {
        const wanted = { email: canonicalAddress(body.email), role: body.role ?? "MEMBER" } as const
        set.status = 201
        return wrapped(presentMember(await accounts.members.add(project.id, wanted, { ...user, ...peer })))
      },
      {
        body: newMemberBody,
        detail: { operationId: "addProjectMember", summary: "Add a member", responses: memberCreated },
      },
    )
    .patch(
      "/:userId",
      async ({ project, params, body, user, peer }) => {
        const userId = pathId("Member", params.userId)
        return wrapped(
          presentMember(await accounts.members.change(project.id, userId, body.role, { ...user, ...peer })),
        )
      },
      {
        body: memberBody,
        detail: { operationId: "updateProjectMember", summary: "Change a member's role", responses: memberAnswer },
      },
    )
    .delete(
      "/:userId",
      async ({ project, params, user, peer, set }) => {
        await accounts.members.remove(project.id, pathId("Member", params.userId), { ...user, ...peer })
        set.status = 204
      },
      { detail: { operationId: "removeProjectMember", summary: "Remove a member", responses: refusal.gone } },
    )

  return new Elysia().use(shown).use(managed)
}
