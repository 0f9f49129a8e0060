import { Type as t } from "@sinclair/typebox"
import { Elysia } from "elysia"
import type { Engine } from "../../engine.ts"
import {
  about,
  bySession,
  cursorAnswer,
  cursorQuery,
  named,
  oneOf,
  orNull,
  query,
  refuses,
  time,
} from "../../http/openapi/describe.ts"
import {
  countIn,
  cursorPage,
  decodeCursor,
  defaultLimit,
  encodeCursor,
  flagIn,
  maxLimit,
  type Query,
} from "../../http/page.ts"
import type { Protect } from "../../http/protect.ts"
import { iso } from "../../kernel/clock.ts"
import type { Db } from "../../store/database.ts"
import { countRequests, listRequests, type RequestFilter } from "./store.ts"
import { credentials, type RequestRow } from "./table.ts"

export const requestSchema = named(
  "LoggedRequest",
  t.Object({
    id: t.String(),
    projectId: about("Null without a project, and when the credentials were refused.", orNull(t.String())),
    at: time(),
    method: t.String(),
    route: about("The template of the path, without ids.", t.String()),
    status: t.Integer(),
    durationMs: t.Number(),
    key: oneOf(credentials),
  }),
)

const example = {
  id: "4711",
  projectId: "0199c0de-0000-7000-8000-000000000001",
  at: "2026-01-31T09:15:00.000Z",
  method: "POST",
  route: "/v1/send",
  status: 200,
  durationMs: 2.4,
  key: "secret",
} as const

const present = ({ id, projectId, at, method, route, status, duration, key }: RequestRow) => ({
  id: String(id),
  projectId,
  at: iso(at),
  method,
  route,
  status,
  durationMs: duration / 1_000,
  key,
})

const filters = query({
  failed: about("True for those that were answered with 400 or more, false for the others.", t.Boolean()),
})

const order = "request.desc"
/** Counting all of some millions would take longer than the page. */
const mostCounted = 10_000

/** The request log of a project, and of the whole server (contract B10.7). */
export function requestRoutes({ store }: Pick<Engine, "store">, protect: Protect) {
  /** Searches for rare rows run on a thread. */
  const read = <R>({ projectId, failed }: RequestFilter, query: (db: Db) => Promise<R>): Promise<R> =>
    failed === undefined ? query(store.read) : store.readPool.read(projectId ?? "instance", query)

  async function pageOf(projectId: string | null, query: Query) {
    const limit = countIn(query.limit, defaultLimit, maxLimit)
    const cursor = decodeCursor(order, query.cursor, { key: "number", isId: (id) => /^\d+$/.test(id) })
    const filter = { projectId, failed: flagIn(query.failed) }
    const rows = await read(filter, (db) => listRequests(db, filter, cursor?.key, limit + 1))
    const total = cursor ? 0 : await read(filter, (db) => countRequests(db, filter, mostCounted))
    const cursorOf = ({ id }: RequestRow) => encodeCursor(order, { key: id, id: String(id) })
    return cursorPage(rows, { limit, total, cursorOf, present })
  }

  const description = `Newest first; \`total\` counts ${mostCounted} at most. Entries appear within a second.`
  const detail = {
    description,
    parameters: [...cursorQuery, ...filters],
    responses: { ...cursorAnswer(requestSchema, example), ...refuses(400, 403) },
  }
  const ofProject = new Elysia({ detail: { tags: ["Projects"], security: bySession } })
    .use(protect.member({ permission: "project.manage" }))
    .get("/projects/:id/requests", ({ project, query }) => pageOf(project.id, query), {
      detail: { ...detail, operationId: "listProjectRequests", summary: "The API requests of a project" },
    })
  const ofInstance = new Elysia({ detail: { tags: ["Instance"], security: bySession } })
    .use(protect.user({ owner: true }))
    .get("/instance/requests", ({ query }) => pageOf(null, query), {
      detail: { ...detail, operationId: "listInstanceRequests", summary: "The API requests of all projects" },
    })
  return new Elysia().use(ofProject).use(ofInstance)
}
