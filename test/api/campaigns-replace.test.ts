import { expect } from "bun:test"
import { eq } from "drizzle-orm"
import { campaignTable } from "../../src/modules/campaigns/index.ts"
import {
  audiences,
  type CampaignRow,
  campaignOf,
  countingCampaigns,
  createCampaign,
  fullNews,
  news,
  onPlan,
  unknownId,
} from "../harness/campaigns.ts"
import { scenarios } from "../harness/scenarios.ts"

const { ids, seed } = audiences()

const drafts: Record<string, string> = {}
const at = (name: string) => `PUT /campaigns/${drafts[name] ?? unknownId}`

scenarios(
  "PUT /campaigns/{id}",
  countingCampaigns([
    {
      name: "replaces everything, and returns what is left out to its default",
      given: async (it) => {
        const { id } = await createCampaign(it, { ...fullNews, audienceType: "SEGMENT", segmentId: ids.segment })
        drafts.full = id
        await it.advance({ seconds: 1 })
      },
      route: () => at("full"),
      body: { ...news, name: "July news", type: "TRANSACTIONAL" },
      status: 200,
      answer: {
        success: true,
        data: {
          name: "July news",
          description: null,
          fromName: null,
          replyTo: null,
          type: "TRANSACTIONAL",
          segmentId: null,
          segment: null,
          totalRecipients: 10,
          status: "DRAFT",
          createdAt: "2026-01-31T09:15:00.000Z",
          updatedAt: "2026-01-31T09:15:01.000Z",
        },
      },
    },
    {
      name: "moves updatedAt only when it says something new",
      route: () => at("full"),
      given: (it) => it.advance({ seconds: 1 }),
      body: { ...news, name: "July news", type: "TRANSACTIONAL" },
      status: 200,
      answer: { data: { updatedAt: "2026-01-31T09:15:01.000Z" } },
    },
    {
      name: "counts the audience anew",
      route: () => at("full"),
      body: { ...news, audienceType: "FILTERED", audienceCondition: onPlan("pro") },
      status: 200,
      answer: { data: { totalRecipients: 3, audienceCondition: onPlan("pro") } },
    },
    {
      name: "leaves a time in place, with the status",
      given: async (it) => {
        const { id } = await createCampaign(it)
        drafts.planned = id
        await it.api(`POST /campaigns/${id}/send`, { body: { scheduledFor: "2026-03-01T10:00:00Z" } })
      },
      route: () => at("planned"),
      body: { ...news, name: "Planned", scheduledFor: null, status: "DRAFT" },
      status: 200,
      answer: { data: { status: "SCHEDULED", scheduledFor: "2026-03-01T10:00:00.000Z", name: "Planned" } },
    },
    {
      name: "has a longest name and a longest description",
      route: () => at("full"),
      body: { ...news, name: "x".repeat(256), description: "x".repeat(2_001) },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { name: "too_big", description: "too_big" },
    },
    {
      name: "shows what is stored and longer, until it is replaced",
      given: async (it) => {
        const { id } = await createCampaign(it)
        drafts.longer = id
        const longer = { name: "n".repeat(300), description: "d".repeat(3_000) }
        await it.app.store.write(it.project.id, async (unit) => {
          await unit.db.update(campaignTable).set(longer).where(eq(campaignTable.id, id))
        })
        expect(await campaignOf(it, id)).toMatchObject(longer)
      },
      route: () => at("longer"),
      body: news,
      status: 200,
      answer: { data: { name: news.name, description: null } },
    },
    {
      name: "wants all required fields, what is there does not count",
      route: () => at("full"),
      body: { name: "Only a name" },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { subject: "required", body: "required", from: "required", audienceType: "required" },
    },
    {
      name: "answers 404 for an unknown segment",
      route: () => at("full"),
      body: { ...news, audienceType: "SEGMENT", segmentId: unknownId },
      status: 404,
      code: "RESOURCE_NOT_FOUND",
    },
    {
      name: "refuses a sender whose domain is not verified",
      route: () => at("full"),
      body: { ...news, from: "x@nowhere.test" },
      status: 403,
      code: "INTERNAL_SERVER_ERROR",
    },
    {
      name: "refuses an invalid condition",
      route: () => at("full"),
      body: { ...news, audienceType: "FILTERED", audienceCondition: { logic: "AND", groups: [] } },
      status: 400,
      code: "BAD_REQUEST",
      fields: { "audienceCondition.groups": "too_small" },
    },
    {
      name: "refuses an invalid template",
      route: () => at("full"),
      body: { ...news, body: "{{#if}}" },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { body: "custom" },
      after: async (it) => {
        expect(await campaignOf(it, drafts.full ?? "")).toMatchObject({ body: news.body, subject: news.subject })
      },
    },
    ...["SENDING", "SENT", "CANCELLED"].map(
      (status): CampaignRow => ({
        name: `refuses a campaign that is ${status}`,
        given: async (it) => {
          const { id } = await createCampaign(it)
          drafts[status] = id
          await it.api(`POST /campaigns/${id}/send`)
          if (status === "CANCELLED") await it.api(`POST /campaigns/${id}/cancel`)
          if (status === "SENT") await it.settle()
          expect((await campaignOf(it, id)).status).toBe(status)
        },
        route: () => at(status),
        body: { ...news, subject: "{{" },
        status: 409,
        code: "CONFLICT",
      }),
    ),
    {
      name: "answers 404 for an unknown campaign",
      route: () => at("nobody"),
      body: news,
      status: 404,
      code: "CAMPAIGN_NOT_FOUND",
      answer: { error: { details: { resource: "Campaign", id: unknownId } } },
    },
    {
      name: "does not know a campaign of another project",
      key: () => ids.other,
      route: () => at("full"),
      body: news,
      status: 404,
      code: "CAMPAIGN_NOT_FOUND",
    },
  ]),
  { seed },
)
