import { expect } from "bun:test"
import {
  type CampaignRow,
  campaignOf,
  cancelCampaign,
  countingCampaigns,
  mailsOf,
  oneCampaign,
} from "../harness/campaigns.ts"
import { scenarios } from "../harness/scenarios.ts"

const one = oneCampaign()
const later = "2026-03-01T10:00:00.000Z"

/** A campaign that the request is not about. */
let other = ""

const cancel = () => `POST /campaigns/${one.id}/cancel`

scenarios(
  "POST /campaigns/{id}/cancel",
  countingCampaigns([
    {
      name: "cancels a scheduled campaign, which keeps its time",
      given: (it) => one.given(it, "SCHEDULED"),
      route: cancel,
      status: 200,
      answer: {
        success: true,
        message: "The campaign was cancelled.",
        data: { status: "CANCELLED", cancelReason: "user", scheduledFor: later, totalRecipients: 3, cancelledCount: 0 },
      },
      after: async (it) => {
        await it.advance({ days: 60 })
        expect(await campaignOf(it, one.id)).toMatchObject({ status: "CANCELLED", sentAt: null })
        expect(await mailsOf(it, one.id)).toEqual([])
      },
    },
    {
      name: "cancels one that has no mail yet",
      given: (it) => one.given(it, "SENDING"),
      route: cancel,
      status: 200,
      answer: { data: { status: "CANCELLED", totalRecipients: 0, cancelledCount: 0 } },
      after: async (it) => {
        await it.settle()
        expect(await mailsOf(it, one.id)).toEqual([])
      },
    },
    {
      name: "leaves the waiting mails of others",
      given: async (it) => {
        await one.given(it, "SENDING")
        other = one.id
        await one.given(it, "SENDING")
        await it.app.jobs.drain()
      },
      route: cancel,
      status: 200,
      answer: { data: { cancelledCount: 3 } },
      after: async (it) => {
        await it.settle()
        expect((await mailsOf(it, other)).map(({ status }) => status)).toEqual(["SENT", "SENT", "SENT"])
      },
    },
    {
      name: "cancels the mails that wait, in its commit",
      given: async (it) => {
        await one.given(it, "SENDING")
        await it.app.jobs.drain()
        expect((await mailsOf(it, one.id)).map(({ status }) => status)).toEqual(["PENDING", "PENDING", "PENDING"])
      },
      route: cancel,
      status: 200,
      answer: { data: { status: "CANCELLED", totalRecipients: 3, cancelledCount: 3, sentCount: 0 } },
      after: async (it) => {
        const before = it.sent().length
        await it.settle()
        expect(it.sent()).toHaveLength(before)
        expect((await mailsOf(it, one.id)).map(({ status, error }) => `${status} ${error}`)).toEqual(
          Array(3).fill("CANCELLED campaign_cancelled"),
        )
      },
    },
    ...["DRAFT", "SENT", "CANCELLED"].map(
      (status): CampaignRow => ({
        name: `refuses a campaign that is ${status}`,
        given: (it) => one.given(it, status),
        route: cancel,
        status: 409,
        code: "CONFLICT",
      }),
    ),
    ...one.unknown("POST /campaigns/{id}/cancel"),
  ]),
  { seed: one.seed },
)

const remove = () => `DELETE /campaigns/${one.id}`

scenarios(
  "DELETE /campaigns/{id}",
  countingCampaigns([
    {
      name: "deletes a draft",
      given: (it) => one.given(it),
      route: remove,
      status: 200,
      campaigns: -1,
      after: async (it, { body }) => {
        expect(body).toEqual({ success: true, message: "The campaign was deleted." })
        expect((await it.api(`GET /campaigns/${one.id}`)).status).toBe(404)
      },
    },
    {
      name: "leaves the mails of one that was sent, without their campaign",
      given: (it) => one.given(it, "SENT"),
      route: remove,
      status: 200,
      campaigns: -1,
      after: async (it) => {
        expect((await it.api(`GET /emails?campaignId=${one.id}`)).body.total).toBe(0)
        const { body } = await it.api("GET /emails?sourceType=CAMPAIGN")
        expect(body.data.map((mail: { status: string; campaignId: null }) => [mail.status, mail.campaignId])).toEqual(
          Array(3).fill(["SENT", null]),
        )
      },
    },
    {
      name: "leaves the mails of others their campaign",
      given: async (it) => {
        await one.given(it, "SENT")
        other = one.id
        await one.given(it, "SENT")
      },
      route: remove,
      status: 200,
      campaigns: -1,
      after: async (it) => {
        expect(await mailsOf(it, other)).toHaveLength(3)
      },
    },
    {
      name: "deletes one that was cancelled, none of whose mails leaves afterwards",
      given: async (it) => {
        await one.given(it, "SENDING")
        await it.app.jobs.drain()
        await cancelCampaign(it, one.id)
      },
      route: remove,
      status: 200,
      campaigns: -1,
      after: async (it) => {
        const before = it.sent().length
        await it.settle()
        expect(it.sent()).toHaveLength(before)
      },
    },
    ...["SCHEDULED", "SENDING"].map(
      (status): CampaignRow => ({
        name: `refuses a campaign that is ${status}`,
        given: (it) => one.given(it, status),
        route: remove,
        status: 409,
        code: "CONFLICT",
        after: async (it) => {
          expect((await campaignOf(it, one.id)).status).toBe(status)
        },
      }),
    ),
    ...one.unknown("DELETE /campaigns/{id}"),
  ]),
  { seed: one.seed },
)
