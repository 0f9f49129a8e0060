import { Elysia } from "elysia"
import { accessDenied, type Caller } from "../../http/auth.ts"
import { pathId } from "../../http/path-id.ts"
import type { Protect } from "../../http/protect.ts"
import { notFound } from "../../kernel/errors.ts"
import { parseId } from "../../kernel/ids.ts"
import type { Accounts } from "../accounts/index.ts"
import { byCaller } from "../audit/index.ts"
import type { Domains } from "./actions.ts"
import { domainAnswer, domainCreated, domainDeleted, domainsAnswer, keyRotated } from "./document.ts"
import { newDomainBody, presentDomain } from "./wire.ts"

/** Contract B6.3 to B6.6. */
export function domainRoutes(domains: Domains, accounts: Pick<Accounts, "isMember">, protect: Protect) {
  /** The project of the path, if the caller has access to it. */
  async function projectIn(given: string, { project, user }: Caller): Promise<string> {
    const id = given === "current" ? project.id : parseId(given)
    if (id === project.id) return project.id
    if (user === undefined) throw notFound("Project", given)
    if (id === undefined || !(await accounts.isMember(id, user.userId))) throw accessDenied()
    return id
  }

  const detail = { tags: ["Domains"] }
  const read = new Elysia({ prefix: "/domains", detail })
    .use(protect({ accept: "member" }))
    .get(
      "/project/:projectId",
      async ({ caller, params }) => (await domains.list(await projectIn(params.projectId, caller))).map(presentDomain),
      {
        detail: {
          operationId: "listDomains",
          summary: "List the sender domains of a project",
          responses: domainsAnswer,
        },
      },
    )
    .get(
      "/:id/verify",
      async ({ project, params }) => presentDomain(await domains.verify(project.id, pathId("Domain", params.id))),
      {
        detail: {
          operationId: "verifyDomain",
          summary: "Check the DNS records of a domain now",
          responses: domainAnswer,
        },
      },
    )

  const managed = new Elysia({ prefix: "/domains", detail })
    .use(protect({ accept: "member", permission: "domains.manage" }))
    .post(
      "/",
      async ({ project, body, caller, peer, set }) => {
        if (typeof body.projectId === "string" && parseId(body.projectId) !== project.id) throw accessDenied()
        set.status = 201
        const added = await domains.add(project.id, body.domain, { vouched: false }, byCaller(caller, peer()))
        return presentDomain(await domains.withRecords(added))
      },
      {
        body: newDomainBody,
        detail: { operationId: "addDomain", summary: "Add a sender domain", responses: domainCreated },
      },
    )
    .post(
      "/:id/rotate-key",
      async ({ project, params, caller, peer }) =>
        presentDomain(await domains.rotateKeys(project.id, pathId("Domain", params.id), byCaller(caller, peer()))),
      {
        detail: {
          operationId: "rotateDomainKey",
          summary: "Replace the DKIM keys of a domain",
          description:
            "Publish the records that are `next`. Mail is signed with the present keys until they are found.",
          responses: keyRotated,
        },
      },
    )
    .delete(
      "/:id",
      async ({ project, params, caller, peer, set }) => {
        await domains.remove(project.id, pathId("Domain", params.id), byCaller(caller, peer()))
        set.status = 204
      },
      { detail: { operationId: "removeDomain", summary: "Remove a sender domain", responses: domainDeleted } },
    )

  return new Elysia().use(read).use(managed)
}
