import { expect } from "bun:test"
import { eq } from "drizzle-orm"
import { segmentTable } from "../../src/modules/segments/index.ts"
import {
  type CampaignRow,
  campaignOf,
  countingCampaigns,
  createSegment,
  mailsOf,
  oneCampaign,
  onPlan,
} from "../harness/campaigns.ts"
import { scenarios } from "../harness/scenarios.ts"

const one = oneCampaign()

const copy = () => `POST /campaigns/${one.id}/duplicate`

scenarios(
  "POST /campaigns/{id}/duplicate",
  countingCampaigns([
    ...["DRAFT", "SCHEDULED", "SENDING", "SENT", "CANCELLED"].map(
      (status): CampaignRow => ({
        name: `copies a campaign that is ${status} to a draft without a history`,
        given: (it) =>
          one.given(it, status, { description: "d", fromName: "F", replyTo: "r@acme.test", type: "HEADLESS" }),
        route: copy,
        status: 201,
        answer: {
          success: true,
          message: "The campaign was duplicated.",
          data: {
            name: "June news (Copy)",
            description: "d",
            fromName: "F",
            replyTo: "r@acme.test",
            type: "HEADLESS",
            status: "DRAFT",
            scheduledFor: null,
            sentAt: null,
            cancelReason: null,
            totalRecipients: 3,
            sentCount: 0,
            cancelledCount: 0,
          },
        },
        after: (_, { body }) => expect(body.data.id).not.toBe(one.id),
      }),
    ),
    {
      name: "copies the condition of a filter",
      given: (it) => one.given(it, "DRAFT", { audienceType: "FILTERED", audienceCondition: onPlan("pro") }),
      route: copy,
      status: 201,
      answer: { data: { audienceType: "FILTERED", audienceCondition: onPlan("pro"), totalRecipients: 3 } },
    },
    ...one.unknown("POST /campaigns/{id}/duplicate"),
  ]),
  { seed: one.seed },
)

scenarios(
  "GET /campaigns/{id}",
  countingCampaigns([
    {
      name: "shows a campaign",
      given: (it) => one.given(it),
      route: () => `GET /campaigns/${one.id}`,
      status: 200,
      answer: { success: true },
    },
    {
      name: "shows no segment once it is gone, and its one.id for ever",
      given: async (it) => {
        const segmentId = await createSegment(it, { name: "Pro", condition: onPlan("pro") })
        await one.given(it, "CANCELLED", { audienceType: "SEGMENT", segmentId })
        expect((await campaignOf(it, one.id)).segment).toEqual({ id: segmentId, name: "Pro" })
        await it.app.store.write(it.project.id, async (unit) => {
          await unit.db.delete(segmentTable).where(eq(segmentTable.id, segmentId))
        })
      },
      route: () => `GET /campaigns/${one.id}`,
      status: 200,
      answer: { data: { segment: null, audienceType: "SEGMENT" } },
      after: (_, { body }) => expect(typeof body.data.segmentId).toBe("string"),
    },
    ...one.unknown("GET /campaigns/{id}"),
  ]),
  { seed: one.seed },
)

scenarios(
  "GET /campaigns/{id}/stats",
  countingCampaigns([
    {
      name: "tells counts and rates of the mails that left",
      given: async (it) => {
        await one.given(it, "SENT")
        await it.app.store.write(it.project.id, async (unit) => {
          const [first, second] = await mailsOf(it, one.id)
          await it.app.emails.report(unit, first?.id ?? "", { kind: "delivery" })
          await it.app.emails.report(unit, second?.id ?? "", { kind: "bounce", bounceType: "Permanent" })
        })
      },
      route: () => `GET /campaigns/${one.id}/stats`,
      status: 200,
      after: (_, { body }) => {
        expect(body).toEqual({
          success: true,
          data: {
            totalRecipients: 3,
            sentCount: 3,
            deliveredCount: 1,
            openedCount: 0,
            clickedCount: 0,
            bouncedCount: 1,
            complainedCount: 0,
            unsubscribedCount: 0,
            failedCount: 0,
            cancelledCount: 0,
            openRate: 0,
            clickRate: 0,
            bounceRate: 33.33,
            deliveryRate: 33.33,
            complaintRate: 0,
            unsubscribeRate: 0,
          },
        })
      },
    },
    {
      name: "counts who unsubscribes at the provider, and nobody whom that does not change (contract B1.1.5)",
      given: async (it) => {
        await one.given(it, "SENT")
        const [first, second] = await mailsOf(it, one.id)
        await it.api(`PATCH /contacts/${second?.contactId}`, { body: { subscribed: false } })
        await it.app.store.write(it.project.id, async (unit) => {
          for (const mail of [first, second]) await it.app.emails.report(unit, mail?.id ?? "", { kind: "unsubscribe" })
        })
      },
      route: () => `GET /campaigns/${one.id}/stats`,
      status: 200,
      answer: { data: { unsubscribedCount: 1 } },
    },
    ...one.unknown("GET /campaigns/{id}/stats"),
  ]),
  { seed: one.seed },
)
