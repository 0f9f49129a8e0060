import { Elysia } from "elysia"
import { bySession } from "../../http/openapi/describe.ts"
import type { Protect } from "../../http/protect.ts"
import type { Accounts } from "./actions.ts"
import { projectsAnswer, userAnswer } from "./document.ts"

export const accountRoutes = (accounts: Accounts, protect: Protect) =>
  new Elysia({ prefix: "/users/@me", detail: { tags: ["Account"], security: bySession } })
    .use(protect.user())
    .get("/", ({ userId }) => accounts.user(userId), {
      detail: { operationId: "getUser", summary: "Who is signed in", responses: userAnswer },
    })
    .get("/projects", ({ userId }) => accounts.projectsOf(userId), {
      detail: { operationId: "listProjects", summary: "List the projects of the user", responses: projectsAnswer },
    })
