import { Elysia } from "elysia"
import type { ProjectRef } from "../../../http/auth.ts"
import { documentPolicy } from "../../../http/document-policy.ts"
import { pathId } from "../../../http/path-id.ts"
import type { Protect } from "../../../http/protect.ts"
import { notFound } from "../../../kernel/errors.ts"
import type { Emails } from "../actions.ts"
import { mailDocument } from "./mail-document.ts"

/** Routes that a browser loads by URL, without our headers: a session, and the project in the path. */
export function emailBrowserRoutes(emails: Emails, protect: Protect) {
  const find = (project: ProjectRef, id: string) => emails.get(project.id, pathId("Email", id))

  return new Elysia({ prefix: "/app", detail: { hide: true } })
    .use(protect.page())
    .get("/view/:projectId/emails/:id/body", async ({ project, params, query }) => {
      const content = await emails.contentOf(await find(project, params.id))
      return new Response(mailDocument(content), {
        headers: {
          "Content-Type": "text/html; charset=utf-8",
          "Content-Security-Policy": documentPolicy({ remote: query.remote === "1" }),
          "Referrer-Policy": "no-referrer",
          "Cache-Control": "private, no-store",
        },
      })
    })
    .get("/view/:projectId/emails/:id/attachments/:index", async ({ project, params }) => {
      const { attachments } = await emails.contentOf(await find(project, params.id))
      const file = attachments[Number(params.index)]
      if (file === undefined) throw notFound("Attachment", params.index)
      return new Response(Buffer.from(file.content), {
        headers: {
          "Content-Type": "application/octet-stream",
          "Content-Disposition": `attachment; filename*=UTF-8''${extended(file.filename)}`,
        },
      })
    })
}

/** Encoded as a header parameter (RFC 8187, 3.2.1): browsers ignore a name with an unencoded apostrophe. */
const extended = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
