import { Elysia } from "elysia"
import type { Authenticator, ProjectRef, Role } from "../../http/auth.ts"
import { bySession } from "../../http/openapi/describe.ts"
import { iso } from "../../kernel/clock.ts"
import { projectsAnswer, userAnswer } from "./document.ts"

/** The owner that the sandbox signs in by itself (contract A8.3.6). */
export const builtInOwner = "00000000-0000-7000-8000-000000000001"

/** What accounts need of projects, which stand on the same step. */
export interface Tenants {
  find(id: string): Promise<ProjectRef | undefined>
  /** All projects, as somebody of this role sees them. */
  shown(role: Role): Promise<unknown[]>
}

/** Accounts: who may see what. The sandbox has one built-in owner of everything. */
export function accounts(tenants: Tenants, { builtIn, since }: { builtIn: boolean; since: number }) {
  const isOwner = (userId: string): boolean => builtIn && userId === builtInOwner
  return {
    async membership(userId: string, projectId: string): Promise<{ project: ProjectRef; role: Role } | undefined> {
      const project = isOwner(userId) ? await tenants.find(projectId) : undefined
      return project && { project, role: "OWNER" }
    },
    routes: (auth: Authenticator) =>
      new Elysia({ prefix: "/users/@me", detail: { tags: ["Account"], security: bySession } })
        .get(
          "/",
          ({ request }) => ({
            id: auth.bySession(request),
            email: "owner@localhost",
            type: "OWNER",
            emailVerified: true,
            createdAt: iso(since),
          }),
          { detail: { operationId: "getUser", summary: "Who is signed in", responses: userAnswer } },
        )
        .get(
          "/projects",
          async ({ request }) => {
            const userId = auth.bySession(request)
            return isOwner(userId) ? tenants.shown("OWNER") : []
          },
          {
            detail: {
              operationId: "listProjects",
              summary: "List the projects of the user",
              responses: projectsAnswer,
            },
          },
        ),
  }
}

export type Accounts = ReturnType<typeof accounts>
