import { Elysia } from "elysia"
import { answers, cursorAnswer, cursorQuery, refuses } from "../../http/openapi/describe.ts"
import { countIn, defaultLimit, maxLimit } from "../../http/page.ts"
import { periodIn, periodQuery } from "../../http/period.ts"
import type { Protect } from "../../http/protect.ts"
import type { ActivityActions } from "./actions.ts"
import {
  activityExample,
  activityFilters,
  activitySchema,
  recentQuery,
  recentSchema,
  statsExample,
  statsSchema,
  typesSchema,
  upcomingQuery,
  upcomingSchema,
} from "./document.ts"
import { activityTypes } from "./sources.ts"
import { cursorOf, filterIn, minutesIn, positionIn, presentActivity } from "./wire.ts"

export function activityRoutes(activity: ActivityActions, protect: Protect) {
  return new Elysia({ prefix: "/activity", detail: { tags: ["Activity"] } })
    .use(protect({ accept: "member" }))
    .get(
      "/",
      async ({ project, query }) => {
        const limit = countIn(query.limit, defaultLimit, maxLimit)
        const page = await activity.list(project.id, filterIn(query), positionIn(query), limit)
        return {
          data: page.items.map(presentActivity),
          ...(page.next && { cursor: cursorOf(page.next) }),
          hasMore: page.next !== undefined,
          total: page.total,
        }
      },
      {
        detail: {
          operationId: "listActivity",
          summary: "List what happened",
          description:
            "Mails, events, contacts, campaigns and workflows in one list, newest first; of the last 30 days by default.",
          parameters: [...cursorQuery, ...activityFilters, ...periodQuery],
          responses: { ...cursorAnswer(activitySchema, activityExample), ...refuses(400) },
        },
      },
    )
    .get("/stats", ({ project, query }) => activity.stats(project.id, periodIn(query)), {
      detail: {
        operationId: "countActivity",
        summary: "Count what happened",
        description: "In the last 30 days by default.",
        parameters: periodQuery,
        responses: { ...answers(200, statsSchema, statsExample), ...refuses(400) },
      },
    })
    .get(
      "/recent-count",
      async ({ project, query }) => {
        const minutes = minutesIn(query)
        return { count: await activity.countRecent(project.id, minutes), minutes }
      },
      {
        detail: {
          operationId: "countRecentActivity",
          summary: "Count what happened in the last minutes",
          parameters: recentQuery,
          responses: answers(200, recentSchema, { count: 4, minutes: 5 }),
        },
      },
    )
    .get("/types", () => ({ types: activityTypes }), {
      detail: {
        operationId: "listActivityTypes",
        summary: "List the types of activity",
        responses: answers(200, typesSchema, { types: [...activityTypes] }),
      },
    })
    .get(
      "/upcoming",
      async ({ project, query }) => {
        const days = countIn(query.daysAhead, 30, 90)
        const items = await activity.upcoming(project.id, days, countIn(query.limit, defaultLimit, maxLimit))
        return { activities: items.map(presentActivity) }
      },
      {
        detail: {
          operationId: "listUpcomingActivity",
          summary: "List what is planned",
          description: "Soonest first.",
          parameters: upcomingQuery,
          responses: answers(200, upcomingSchema, {
            activities: [
              {
                id: "campaign_0199c0de-0000-7000-8000-00000000000c_scheduled",
                type: "campaign.scheduled",
                timestamp: "2026-02-03T08:00:00.000Z",
                contactId: null,
                contactEmail: null,
                metadata: { campaignId: "0199c0de-0000-7000-8000-00000000000c", campaignName: "June news" },
              },
            ],
          }),
        },
      },
    )
}
