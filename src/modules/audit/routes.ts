import { Type as t } from "@sinclair/typebox"
import { Elysia } from "elysia"
import {
  about,
  anyObject,
  bySession,
  cursorAnswer,
  cursorQuery,
  id,
  named,
  orNull,
  refuses,
  time,
} from "../../http/openapi/describe.ts"
import { countIn, cursorPage, decodeCursor, defaultLimit, encodeCursor, maxLimit, type Query } from "../../http/page.ts"
import type { Protect } from "../../http/protect.ts"
import { type Audit, presentAudit } from "./audit.ts"
import type { AuditRow } from "./table.ts"

const entry = named(
  "AuditEntry",
  t.Object({
    id: id(),
    projectId: about("Null for what concerns an account or the server.", orNull(id())),
    action: t.String(),
    userId: about("Null where no user was signed in.", orNull(id())),
    actor: about(
      "The address of the user at that time, `secret key`, `command line`, `not signed in`, or `mailstead` for the server itself.",
      t.String(),
    ),
    address: about("Where the request came from.", orNull(t.String())),
    details: anyObject(),
    createdAt: time(),
  }),
)

const example = {
  id: "0199c0de-0000-7000-8000-000000000009",
  projectId: "0199c0de-0000-7000-8000-000000000001",
  action: "member.added",
  userId: "0199c0de-0000-7000-8000-000000000002",
  actor: "ada@acme.test",
  address: "203.0.113.7",
  details: { email: "bo@acme.test", role: "MEMBER" },
  createdAt: "2026-01-31T09:15:00.000Z",
}

const order = "createdAt.desc"

async function pageOf(audit: Audit, projectId: string | null, query: Query) {
  const limit = countIn(query.limit, defaultLimit, maxLimit)
  const cursor = decodeCursor(order, query.cursor, { key: "number" })
  const after = cursor && { createdAt: cursor.key, id: cursor.id }
  const rows = await audit.list(projectId, after, limit + 1)
  const cursorOf = ({ createdAt: key, id }: AuditRow) => encodeCursor(order, { key, id })
  return cursorPage(rows, { limit, total: cursor ? 0 : await audit.count(projectId), cursorOf, present: presentAudit })
}

/** The audit log of a project, and of the whole server (contract B8.3.16, B8.3.19). */
export function auditRoutes(audit: Audit, protect: Protect) {
  const detail = { parameters: cursorQuery, responses: { ...cursorAnswer(entry, example), ...refuses(400, 403) } }
  const ofProject = new Elysia({ detail: { tags: ["Projects"], security: bySession } })
    .use(protect.member({ permission: "project.manage" }))
    .get("/projects/:id/audit", ({ project, query }) => pageOf(audit, project.id, query), {
      detail: { ...detail, operationId: "listProjectAudit", summary: "Who changed what in a project" },
    })
  const ofInstance = new Elysia({ detail: { tags: ["Instance"], security: bySession } })
    .use(protect.user({ owner: true }))
    .get("/instance/audit", ({ query }) => pageOf(audit, null, query), {
      detail: { ...detail, operationId: "listInstanceAudit", summary: "Who changed what on this server" },
    })
  return new Elysia().use(ofProject).use(ofInstance)
}
