import { Elysia } from "elysia"
import { answers, cursorAnswer, cursorQuery, refuses } from "../../http/openapi/describe.ts"
import { type CursorPage, countIn, cursorPage, defaultLimit, given, maxLimit, type Query } from "../../http/page.ts"
import { pathId } from "../../http/path-id.ts"
import { periodIn, periodQuery } from "../../http/period.ts"
import type { Protect } from "../../http/protect.ts"
import { byCaller } from "../audit/index.ts"
import type { Events } from "./actions.ts"
import {
  deletedSchema,
  eventExample,
  eventFilters,
  eventSchema,
  namesSchema,
  statsSchema,
  usageExample,
  usageSchema,
} from "./document.ts"
import type { EventPage, Paging } from "./lists.ts"
import { trackBodyLimit } from "./track-routes.ts"
import { presentTracked, trackAnswer, trackRequestIn } from "./track-wire.ts"
import { cursorAt, eventBody, plainEventIn, positionIn, presentEvent, presentUsage, tracks } from "./wire.ts"

/** A cursor list of events; `order` distinguishes its cursors from those of other lists. */
async function pageOf(
  order: string,
  query: Query,
  list: (paging: Paging) => Promise<EventPage>,
): Promise<CursorPage<ReturnType<typeof presentEvent>>> {
  const limit = countIn(query.limit, defaultLimit, maxLimit)
  const { rows, total } = await list({ after: positionIn(order, query), limit: limit + 1 })
  return cursorPage(rows, { limit, total, cursorOf: (row) => cursorAt(order, row), present: presentEvent })
}

const filterIn = (query: Query) => ({
  name: given(query.eventName),
  contactId: given(query.contactId)?.toLowerCase(),
  period: periodIn(query),
})

const listAnswer = cursorAnswer(eventSchema, eventExample)

export function eventRoutes(events: Events, protect: Protect) {
  const usageOf = async (projectId: string, name: string) => presentUsage(await events.usage(projectId, name))

  return (
    new Elysia({ prefix: "/events", detail: { tags: ["Events"] } })
      .use(recordRoute(events, protect))
      .use(protect({ accept: "member" }))
      .get(
        "/",
        ({ project, query }) => pageOf("events", query, (paging) => events.list(project.id, filterIn(query), paging)),
        {
          detail: {
            operationId: "listEvents",
            summary: "List events",
            description: "Newest first.",
            parameters: [...cursorQuery, ...eventFilters, ...periodQuery],
            responses: { ...listAnswer, ...refuses(400) },
          },
        },
      )
      .get("/stats", ({ project, query }) => events.stats(project.id, periodIn(query)), {
        detail: {
          operationId: "countEvents",
          summary: "Count events by name",
          description: "The most frequent first.",
          parameters: periodQuery,
          responses: { ...answers(200, statsSchema, [{ name: "purchase", count: 7 }]), ...refuses(400) },
        },
      })
      .get("/names", async ({ project }) => ({ eventNames: await events.names(project.id) }), {
        detail: {
          operationId: "listEventNames",
          summary: "List the names of events",
          description: "Every name that a stored event has.",
          responses: answers(200, namesSchema, { eventNames: ["purchase"] }),
        },
      })
      .get(
        "/contact/:contactId",
        async ({ project, params, query }) => {
          const id = pathId("Contact", params.contactId)
          return pageOf("contactEvents", query, (paging) => events.listOfContact(project.id, id, paging))
        },
        {
          detail: {
            operationId: "listContactEvents",
            summary: "List the events of a contact",
            description: "Newest first.",
            parameters: cursorQuery,
            responses: listAnswer,
          },
        },
      )
      // An event may be named `contact`: its usage then has the same path as the events of a contact.
      .get("/contact/usage", ({ project }) => usageOf(project.id, "contact"), { detail: { hide: true } })
      .get("/:eventName/usage", ({ project, params }) => usageOf(project.id, params.eventName), {
        detail: {
          operationId: "getEventUsage",
          summary: "Tell what uses an event name",
          responses: answers(200, usageSchema, usageExample),
        },
      })
      .delete(
        "/:eventName",
        async ({ project, params, caller, peer }) => ({
          deletedCount: await events.drop(project.id, params.eventName, byCaller(caller, peer())),
        }),
        {
          detail: {
            operationId: "deleteEvents",
            summary: "Delete all events of a name",
            description: "For good. Conditions that name it stay, and find none.",
            responses: { ...answers(200, deletedSchema, { deletedCount: 7 }), ...refuses(409) },
          },
        },
      )
  )
}

const recordRoute = (events: Events, protect: Protect) =>
  new Elysia().use(protect({ accept: "member", bodyLimit: trackBodyLimit })).post(
    "/track",
    async ({ project, body, set }) => {
      if (tracks(body)) return presentTracked(await events.track(project.id, trackRequestIn(body)))
      const added = await events.add(project.id, plainEventIn(body))
      set.status = 201
      return presentEvent(added)
    },
    {
      body: eventBody,
      detail: {
        operationId: "recordEvent",
        summary: "Record an event",
        description:
          "With `event` as `POST /v1/track`, answered with 200. With `name` for a contact that is known by its id, for " +
          "a message, or for nobody, answered with 201: then no contact is created or changed.",
        responses: { ...trackAnswer, ...answers(201, eventSchema, eventExample), ...refuses(404) },
      },
    },
  )
