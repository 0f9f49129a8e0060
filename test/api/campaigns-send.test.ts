import { expect, test } from "bun:test"
import { startTestApp, type TestApp } from "../harness/app.ts"
import {
  type CampaignRow,
  campaignOf,
  countingCampaigns,
  createSegment,
  oneCampaign,
  onPlan,
} from "../harness/campaigns.ts"
import { setVerified } from "../harness/domains.ts"
import { scenarios } from "../harness/scenarios.ts"

const one = oneCampaign()

/** A campaign whose audience has a contact more than when it was created. */
async function givenGrown(it: TestApp, email: string): Promise<void> {
  const audience = { type: "TRANSACTIONAL", audienceType: "FILTERED", audienceCondition: onPlan("pro") }
  await one.given(it, "DRAFT", audience)
  const { totalRecipients } = await campaignOf(it, one.id)
  await it.api("POST /contacts", { body: { email, data: { plan: "pro" } } })
  expect((await campaignOf(it, one.id)).totalRecipients).toBe(totalRecipients)
}

const send = () => `POST /campaigns/${one.id}/send`
const later = "2026-03-01T10:00:00.000Z"

scenarios(
  "POST /campaigns/{id}/send",
  countingCampaigns([
    {
      name: "sends at once without a body, and says so in the answer",
      given: (it) => one.given(it),
      route: send,
      status: 200,
      answer: {
        success: true,
        message: "The campaign is being sent.",
        data: {
          name: "June news",
          status: "SENDING",
          scheduledFor: null,
          sentAt: "2026-01-31T09:15:00.000Z",
          totalRecipients: 3,
          sentCount: 0,
        },
      },
      after: async (it, { body }) => {
        expect(Object.keys(body.data)).toHaveLength(31)
        await it.settle()
        expect(await campaignOf(it, one.id)).toMatchObject({ status: "SENT", sentCount: 3, totalRecipients: 3 })
      },
    },
    {
      name: "sends at once when the time is null",
      given: (it) => one.given(it),
      route: send,
      body: { scheduledFor: null },
      status: 200,
      answer: { data: { status: "SENDING", scheduledFor: null } },
    },
    {
      name: "schedules for a time",
      given: (it) => one.given(it),
      route: send,
      body: { scheduledFor: "2026-03-01T11:00:00+01:00" },
      status: 200,
      answer: {
        message: `It will be sent at ${later}.`,
        data: { status: "SCHEDULED", scheduledFor: later, sentAt: null },
      },
    },
    {
      name: "takes a number for a time",
      given: (it) => one.given(it),
      route: send,
      body: { scheduledFor: Date.parse(later) },
      status: 200,
      answer: { data: { status: "SCHEDULED", scheduledFor: later } },
    },
    {
      name: "schedules anew",
      given: (it) => one.given(it, "SCHEDULED"),
      route: send,
      body: { scheduledFor: "2026-02-01" },
      status: 200,
      answer: { data: { status: "SCHEDULED", scheduledFor: "2026-02-01T00:00:00.000Z" } },
    },
    ...[
      ["Jun 1 2030", "2030-06-01T00:00:00.000Z"],
      ["Jun 1 2030 EST", "2030-06-01T05:00:00.000Z"],
      ["Jun 1 2030 GMT+0200", "2030-05-31T22:00:00.000Z"],
    ].map(
      ([scheduledFor, at]): CampaignRow => ({
        name: `reads ${scheduledFor} in its zone, and in UTC without one`,
        given: (it) => one.given(it),
        route: send,
        body: { scheduledFor },
        status: 200,
        answer: { data: { status: "SCHEDULED", scheduledFor: at } },
      }),
    ),
    {
      name: "sends a scheduled one at once, which takes its time away",
      given: (it) => one.given(it, "SCHEDULED"),
      route: send,
      status: 200,
      answer: { data: { status: "SENDING", scheduledFor: null } },
    },
    {
      name: "takes the last minute for now: scheduled, and due",
      given: (it) => one.given(it),
      route: send,
      body: { scheduledFor: "2026-01-31T09:14:00.000Z" },
      status: 200,
      answer: { data: { status: "SCHEDULED", scheduledFor: "2026-01-31T09:14:00.000Z" } },
      after: async (it) => {
        await it.settle()
        expect(await campaignOf(it, one.id)).toMatchObject({
          status: "SENT",
          scheduledFor: "2026-01-31T09:14:00.000Z",
          sentCount: 3,
        })
      },
    },
    ...[
      ["soon"],
      ["2026-01-31T09:13:59.999Z"],
      ["+010000-01-01T00:00:00Z"],
      ["2030-02-30"],
      ["2030-02-29T10:00:00Z"],
      ["2030-02-30 10:00"],
      ["2030/02/30"],
      ["2030-2-30"],
      ["2/30/2030"],
      ["Feb 30 2030"],
      ["February 29, 2030 10:00 +0100"],
      ["30 Feb 2030 10:30 GMT"],
      ["30-Feb-2030"],
      ["Tue, 31 Apr 2030 10:30:00 GMT"],
      [1e15],
      [""],
      [true],
      [{}],
      [[]],
    ].map(
      ([scheduledFor]): CampaignRow => ({
        name: `refuses ${JSON.stringify(scheduledFor)} as a time`,
        given: (it) => one.given(it),
        route: send,
        body: { scheduledFor },
        status: 400,
        code: "BAD_REQUEST",
        after: async (it) => {
          expect((await campaignOf(it, one.id)).status).toBe("DRAFT")
        },
      }),
    ),
    {
      name: "refuses a misspelt key, and does not send",
      given: (it) => one.given(it),
      route: send,
      body: { schedule: "2030-01-01T00:00:00Z" },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { schedule: "custom" },
      after: async (it) => {
        expect((await campaignOf(it, one.id)).status).toBe("DRAFT")
      },
    },
    {
      name: "counts the audience anew",
      given: (it) => givenGrown(it, "fifth@example.com"),
      route: send,
      status: 200,
      answer: { data: { totalRecipients: 5 } },
    },
    {
      name: "counts the audience anew when it schedules (contract B1.1.4)",
      given: (it) => givenGrown(it, "sixth@example.com"),
      route: send,
      body: { scheduledFor: later },
      status: 200,
      answer: { data: { status: "SCHEDULED", totalRecipients: 6 } },
    },
    ...["SENDING", "SENT", "CANCELLED"].map(
      (status): CampaignRow => ({
        name: `refuses a campaign that is ${status}`,
        given: (it) => one.given(it, status),
        route: send,
        status: 409,
        code: "CONFLICT",
        answer: { error: { details: { status } } },
      }),
    ),
    {
      name: "refuses a copy for a segment that is gone",
      given: async (it) => {
        const segmentId = await createSegment(it, { condition: onPlan("pro") })
        await one.given(it, "CANCELLED", { audienceType: "SEGMENT", segmentId })
        expect((await it.api(`DELETE /segments/${segmentId}`)).status).toBe(204)
        const copy = await it.api(`POST /campaigns/${one.id}/duplicate`)
        expect(copy.body.data).toMatchObject({ segmentId, segment: null, totalRecipients: 0, status: "DRAFT" })
        one.id = copy.body.data.id
      },
      route: send,
      status: 404,
      code: "RESOURCE_NOT_FOUND",
    },
    {
      name: "refuses a sender whose domain is no longer verified, before the status",
      given: async (it) => {
        await one.given(it, "SENT")
        await setVerified(it, "acme.test", false)
      },
      route: send,
      status: 403,
      code: "INTERNAL_SERVER_ERROR",
      after: (it) => setVerified(it, "acme.test", true),
    },
    ...one.unknown("POST /campaigns/{id}/send"),
  ]),
  { seed: one.seed },
)

test("an unknown campaign is reported before an invalid time", async () => {
  const it = await startTestApp()
  const path = "POST /campaigns/01890000-0000-7000-8000-000000000000/send"
  const { status, body } = await it.api(path, { body: { scheduledFor: "soon" } })
  expect([status, (body as { error: { code: string } }).error.code]).toEqual([404, "CAMPAIGN_NOT_FOUND"])
  await it.close()
})
