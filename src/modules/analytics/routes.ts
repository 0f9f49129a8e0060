import { Elysia } from "elysia"
import { answers, refuses } from "../../http/openapi/describe.ts"
import { countIn } from "../../http/page.ts"
import { periodIn, periodQuery } from "../../http/period.ts"
import type { Protect } from "../../http/protect.ts"
import type { Analytics } from "./actions.ts"
import {
  campaignStatsExample,
  campaignStatsSchema,
  domainsExample,
  domainsSchema,
  limitQuery,
  overviewExample,
  overviewSchema,
  seriesExample,
  seriesSchema,
  topCampaignsExample,
  topCampaignsSchema,
  topEventsSchema,
} from "./document.ts"

const description = "UTC days; the last 30 by default, 90 at most."

export function analyticsRoutes(analytics: Analytics, protect: Protect) {
  return new Elysia({ prefix: "/analytics", detail: { tags: ["Analytics"] } })
    .use(protect({ accept: "member" }))
    .get("/timeseries", ({ project, query }) => analytics.timeseries(project.id, periodIn(query)), {
      detail: {
        operationId: "getTimeSeries",
        summary: "Figures of mails by the day",
        description,
        parameters: periodQuery,
        responses: { ...answers(200, seriesSchema, seriesExample), ...refuses(400) },
      },
    })
    .get("/overview", ({ project, query }) => analytics.overview(project.id, periodIn(query)), {
      detail: {
        operationId: "getOverview",
        summary: "Figures of mails, and those of the span before",
        description,
        parameters: periodQuery,
        responses: { ...answers(200, overviewSchema, overviewExample), ...refuses(400) },
      },
    })
    .get(
      "/top-campaigns",
      ({ project, query }) => analytics.topCampaigns(project.id, periodIn(query), countIn(query.limit, 10, 50)),
      {
        detail: {
          operationId: "listTopCampaigns",
          summary: "Campaigns by their open rate",
          description,
          parameters: [...limitQuery(10, 50), ...periodQuery],
          responses: { ...answers(200, topCampaignsSchema, topCampaignsExample), ...refuses(400) },
        },
      },
    )
    .get("/campaign-stats", ({ project, query }) => analytics.campaignStats(project.id, periodIn(query)), {
      detail: {
        operationId: "getCampaignSummary",
        summary: "Figures of all campaigns",
        description,
        parameters: periodQuery,
        responses: { ...answers(200, campaignStatsSchema, campaignStatsExample), ...refuses(400) },
      },
    })
    .get(
      "/top-events",
      ({ project, query }) => analytics.topEvents(project.id, periodIn(query), countIn(query.limit, 5, 20)),
      {
        detail: {
          operationId: "listTopEvents",
          summary: "The most frequent events",
          description,
          parameters: [...limitQuery(5, 20), ...periodQuery],
          responses: {
            ...answers(200, topEventsSchema, [{ name: "purchase", count: 7, trend: 40 }]),
            ...refuses(400),
          },
        },
      },
    )
    .get(
      "/domains",
      ({ project, query }) => analytics.domains(project.id, periodIn(query), countIn(query.limit, 10, 50)),
      {
        detail: {
          operationId: "listRecipientDomains",
          summary: "What became of mails, by the domain of the recipient",
          description,
          parameters: [...limitQuery(10, 50), ...periodQuery],
          responses: { ...answers(200, domainsSchema, domainsExample), ...refuses(400) },
        },
      },
    )
}
