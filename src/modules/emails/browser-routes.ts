import { Elysia } from "elysia"
import type { Bus } from "../../bus/bus.ts"
import type { Authenticator, Directory } from "../../http/auth.ts"
import { liveResponse } from "../../http/live.ts"
import { pathId } from "../../http/path-id.ts"
import type { Clock } from "../../kernel/clock.ts"
import { DomainError, notFound } from "../../kernel/errors.ts"
import { parseId } from "../../kernel/ids.ts"
import type { Emails } from "./index.ts"
import { mailDocument, mailPolicy } from "./mail-document.ts"
import { emailChanged } from "./outcome.ts"

interface Parts {
  readonly emails: Emails
  readonly auth: Authenticator
  readonly directory: Directory
  readonly bus: Bus
  readonly clock: Clock
}

/** What a browser loads by address alone, without headers of ours: session only, project in the path. */
export function emailBrowserRoutes({ emails, auth, directory, bus, clock }: Parts) {
  async function enter(request: Request, given: string): Promise<string> {
    const projectId = parseId(given) ?? ""
    const member = await directory.membership(auth.bySession(request), projectId)
    if (member === undefined)
      throw new DomainError("forbidden", "PROJECT_ACCESS_DENIED", "You have no access to this project.")
    return projectId
  }

  const find = async (request: Request, params: { projectId: string; id: string }) =>
    emails.get(await enter(request, params.projectId), pathId("Email", params.id))

  return new Elysia({ prefix: "/app", detail: { hide: true } })
    .get("/view/:projectId/emails/:id/body", async ({ request, params, query }) => {
      const content = await emails.contentOf(await find(request, params))
      return new Response(mailDocument(content), {
        headers: {
          "Content-Type": "text/html; charset=utf-8",
          "Content-Security-Policy": mailPolicy({ remote: query.remote === "1" }),
          "Referrer-Policy": "no-referrer",
          "X-Content-Type-Options": "nosniff",
          "Cache-Control": "private, no-store",
        },
      })
    })
    .get("/view/:projectId/emails/:id/attachments/:index", async ({ request, params }) => {
      const { attachments } = await emails.contentOf(await find(request, params))
      const file = attachments[Number(params.index)]
      if (file === undefined) throw notFound("Attachment", params.index)
      return new Response(Buffer.from(file.content), {
        headers: {
          "Content-Type": "application/octet-stream",
          "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent(file.filename)}`,
          "X-Content-Type-Options": "nosniff",
        },
      })
    })
    .get("/live/:projectId", async ({ request, params }) => {
      const projectId = await enter(request, params.projectId)
      return liveResponse(clock, (push) =>
        bus.watch(emailChanged, (signal) => {
          if (signal.projectId === projectId) push({ event: "email", data: signal.payload })
        }),
      )
    })
}
