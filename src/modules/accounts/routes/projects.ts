import { Elysia } from "elysia"
import { bySession } from "../../../http/openapi/describe.ts"
import type { Protect } from "../../../http/protect.ts"
import { notFound } from "../../../kernel/errors.ts"
import type { Accounts } from "../actions.ts"
import { doneAnswer, projectAnswer, projectCreated, projectsAnswer, refusal, userAnswer } from "../document.ts"
import { newProjectBody, presentUser, projectBody, projectChangeIn, requireEnabled } from "../wire.ts"

const done = (message: string) => ({ success: true, message })
const noBilling = () => {
  throw notFound("Billing", "")
}

/** The user and their projects (contract B8.3.1 to 8, 14, 15). */
export function projectRoutes(accounts: Accounts, protect: Protect) {
  const detail = { tags: ["Account"], security: bySession }

  const me = new Elysia({ prefix: "/users/@me", detail })
    .use(protect.user({ unverified: true }))
    .get("/", async ({ user }) => presentUser(await accounts.userOf(user)), {
      detail: { operationId: "getUser", summary: "Who is signed in", responses: userAnswer },
    })

  const projects = new Elysia({ prefix: "/users/@me/projects", detail })
    .use(protect.user())
    .get("/", ({ user }) => accounts.projectsOf(user), {
      detail: { operationId: "listProjects", summary: "List the projects of the user", responses: projectsAnswer },
    })

  const created = new Elysia({ prefix: "/users/@me/projects", detail }).use(protect.user({ enabled: true })).post(
    "/",
    async ({ body, user, peer, set }) => {
      set.status = 201
      return accounts.createProject(body.name, { ...user, ...peer })
    },
    {
      body: newProjectBody,
      detail: { operationId: "createProject", summary: "Create a project", responses: projectCreated },
    },
  )

  /** The instance owner may disable and enable any project, in any role or none. */
  const settings = new Elysia({ prefix: "/users/@me/projects/:id", detail })
    .use(protect.member({ permission: "project.manage", disabled: "owner", owner: true }))
    .patch(
      "/",
      ({ body, project, role, isMember, user, peer }) =>
        accounts.changeProject(project, projectChangeIn(body), { ...user, ...peer, role, isMember }),
      {
        transform: ({ project, body }) => requireEnabled(project, body),
        body: projectBody,
        detail: { operationId: "updateProject", summary: "Change a project", responses: projectAnswer },
      },
    )

  const managed = new Elysia({ prefix: "/users/@me/projects/:id", detail })
    .use(protect.member({ permission: "project.manage" }))
    .delete(
      "/",
      async ({ project, user, peer }) => {
        await accounts.deleteProject(project.id, { ...user, ...peer })
        return done("The project is deleted.")
      },
      { detail: { operationId: "deleteProject", summary: "Delete a project with all it has", responses: doneAnswer } },
    )
    .post(
      "/regenerate-keys",
      ({ project, user, peer, role }) => accounts.rotateKeys(project.id, role, { ...user, ...peer }),
      {
        detail: {
          operationId: "regenerateKeys",
          summary: "Make new API keys; the old ones stop",
          responses: projectAnswer,
        },
      },
    )
    .post(
      "/reset",
      async ({ project, user, peer }) => {
        await accounts.resetProject(project.id, { ...user, ...peer })
        return done("The project is empty.")
      },
      {
        detail: {
          operationId: "resetProject",
          summary: "Delete all that a project has but its settings",
          responses: doneAnswer,
        },
      },
    )

  const joined = new Elysia({ prefix: "/users/@me/projects/:id", detail })
    .use(protect.member({ permission: "project.read", disabled: "anyone" }))
    .post(
      "/leave",
      async ({ project, user, peer, set }) => {
        await accounts.members.leave(project.id, { ...user, ...peer })
        set.status = 204
      },
      {
        detail: { operationId: "leaveProject", summary: "Be no member of a project any more", responses: refusal.gone },
      },
    )
    .post("/checkout", noBilling, { detail: { hide: true } })
    .post("/billing-portal", noBilling, { detail: { hide: true } })
    .get("/billing-limits", noBilling, { detail: { hide: true } })
    .put("/billing-limits", noBilling, { detail: { hide: true } })
    .get("/billing-consumption", noBilling, { detail: { hide: true } })
    .get("/billing-invoices", noBilling, { detail: { hide: true } })

  return new Elysia().use(me).use(projects).use(created).use(settings).use(managed).use(joined)
}
