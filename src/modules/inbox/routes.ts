import { Elysia } from "elysia"
import { answers, cursorAnswer, cursorQuery, refuses } from "../../http/openapi/describe.ts"
import type { CursorPage, Query } from "../../http/page.ts"
import { pathId } from "../../http/path-id.ts"
import type { Protect } from "../../http/protect.ts"
import {
  inboxFilters,
  inboxMailExample,
  inboxMailSchema,
  inboxRowExample,
  inboxRowSchema,
  markAllBody,
  markBody,
  unreadSchema,
} from "./wire.ts"

interface InboxActions {
  list(projectId: string, query: Query): Promise<CursorPage<typeof inboxRowExample>>
  get(projectId: string, id: string): Promise<typeof inboxMailExample>
  countUnread(projectId: string): Promise<number>
  mark(projectId: string, id: string, read: boolean): Promise<void>
  markAll(projectId: string, upTo: string | undefined): Promise<void>
}

const unreadAnswer = answers(200, unreadSchema, { unread: 3 })

export const inboxRoutes = (inbox: InboxActions, protect: Protect) =>
  new Elysia({ prefix: "/inbox", detail: { tags: ["Inbox"] } })
    .use(protect({ accept: "member" }))
    .get("/", ({ project, query }) => inbox.list(project.id, query), {
      detail: {
        operationId: "listInbox",
        summary: "List the inbox",
        description:
          "Newest first. A message to several recipients that came in is one row, and so is a campaign, unless the search is about single mails.",
        parameters: [...cursorQuery, ...inboxFilters],
        responses: { ...cursorAnswer(inboxRowSchema, inboxRowExample), ...refuses(400) },
      },
    })
    .get("/unread", async ({ project }) => ({ unread: await inbox.countUnread(project.id) }), {
      detail: { operationId: "countUnread", summary: "Count unread messages", responses: unreadAnswer },
    })
    .get("/:id", ({ project, params }) => inbox.get(project.id, pathId("Email", params.id)), {
      detail: {
        operationId: "getInboxMail",
        summary: "Get a message of the inbox with its content",
        responses: { ...answers(200, inboxMailSchema, inboxMailExample), ...refuses(404) },
      },
    })
    .post(
      "/marks",
      async ({ project, body }) => {
        await inbox.mark(project.id, pathId("Email", body.id), body.read)
        return { unread: await inbox.countUnread(project.id) }
      },
      {
        body: markBody,
        detail: {
          operationId: "markMessage",
          summary: "Mark a message as read or unread",
          description: "For everybody in the project. A mail of a campaign stands for its campaign.",
          responses: { ...unreadAnswer, ...refuses(404) },
        },
      },
    )
    .post(
      "/read",
      async ({ project, body }) => {
        await inbox.markAll(project.id, body.upTo ? pathId("Email", body.upTo) : undefined)
        return { unread: await inbox.countUnread(project.id) }
      },
      {
        body: markAllBody,
        detail: {
          operationId: "markAllRead",
          summary: "Mark all messages as read",
          responses: { ...unreadAnswer, ...refuses(404) },
        },
      },
    )
