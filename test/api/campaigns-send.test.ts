import { expect } from "bun:test"
import { eq } from "drizzle-orm"
import { campaignTable } from "../../src/modules/campaigns/index.ts"
import { domainTable } from "../../src/modules/domains/index.ts"
import { segmentTable } from "../../src/modules/segments/index.ts"
import type { TestApp } from "../harness/app.ts"
import {
  type CampaignRow,
  campaignOf,
  cancelCampaign,
  countingCampaigns,
  createCampaign,
  createSegment,
  mailsOf,
  onPlan,
  startCampaign,
} from "../harness/campaigns.ts"
import { seedContacts } from "../harness/contacts.ts"
import { scenarios } from "../harness/scenarios.ts"

const nowhere = "0199c0de-0000-7000-9000-000000000001"
/** The campaign that a row is about. */
let id = nowhere
let otherKey = ""

async function seed(it: TestApp): Promise<void> {
  await seedContacts(it, 4, (at) => ({ subscribed: at < 3, data: { plan: "pro" } }))
  otherKey = (await it.app.projects.create("Other")).secret
}

/** Brings the campaign of the row into a status, without letting anything run that is not needed for it. */
async function given(it: TestApp, status = "DRAFT", fields: object = {}): Promise<void> {
  const time = status === "SCHEDULED" ? "2026-03-01T10:00:00Z" : undefined
  if (status === "DRAFT") id = (await createCampaign(it, fields)).id
  else id = await startCampaign(it, fields, time)
  if (status === "SENT") await it.settle()
  if (status === "CANCELLED") await cancelCampaign(it, id)
  expect((await campaignOf(it, id)).status).toBe(status)
}

const unverify = (it: TestApp, verified: boolean) =>
  it.app.store.write(async (unit) => {
    await unit.db.update(domainTable).set({ verified }).where(eq(domainTable.domain, "acme.test"))
  })

const unknown = (path: string, body?: object): CampaignRow[] => [
  {
    name: "does not know a campaign of nobody",
    route: path.replace("{id}", nowhere),
    ...(body ? { body } : {}),
    status: 404,
    code: "CAMPAIGN_NOT_FOUND",
  },
  {
    name: "does not know what is no id",
    route: path.replace("{id}", "june"),
    ...(body ? { body } : {}),
    status: 404,
    code: "CAMPAIGN_NOT_FOUND",
  },
  {
    name: "does not know a campaign of another project",
    given,
    route: () => path.replace("{id}", id),
    key: () => otherKey,
    ...(body ? { body } : {}),
    status: 404,
    code: "CAMPAIGN_NOT_FOUND",
  },
]

const send = () => `POST /campaigns/${id}/send`
const later = "2026-03-01T10:00:00.000Z"

scenarios(
  "POST /campaigns/{id}/send",
  countingCampaigns([
    {
      name: "sends at once without a body, and says so in the answer",
      given,
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
        expect(Object.keys(body.data)).toHaveLength(30)
        await it.settle()
        expect(await campaignOf(it, id)).toMatchObject({ status: "SENT", sentCount: 3, totalRecipients: 3 })
      },
    },
    {
      name: "sends at once when the time is null",
      given,
      route: send,
      body: { scheduledFor: null },
      status: 200,
      answer: { data: { status: "SENDING", scheduledFor: null } },
    },
    {
      name: "schedules for a time",
      given,
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
      given,
      route: send,
      body: { scheduledFor: Date.parse(later) },
      status: 200,
      answer: { data: { status: "SCHEDULED", scheduledFor: later } },
    },
    {
      name: "schedules anew",
      given: (it) => given(it, "SCHEDULED"),
      route: send,
      body: { scheduledFor: "2026-02-01" },
      status: 200,
      answer: { data: { status: "SCHEDULED", scheduledFor: "2026-02-01T00:00:00.000Z" } },
    },
    {
      name: "sends a scheduled one at once, which takes its time away",
      given: (it) => given(it, "SCHEDULED"),
      route: send,
      status: 200,
      answer: { data: { status: "SENDING", scheduledFor: null } },
    },
    {
      name: "takes the last minute for now: scheduled, and due",
      given,
      route: send,
      body: { scheduledFor: "2026-01-31T09:14:00.000Z" },
      status: 200,
      answer: { data: { status: "SCHEDULED", scheduledFor: "2026-01-31T09:14:00.000Z" } },
      after: async (it) => {
        await it.settle()
        expect(await campaignOf(it, id)).toMatchObject({
          status: "SENT",
          scheduledFor: "2026-01-31T09:14:00.000Z",
          sentCount: 3,
        })
      },
    },
    ...[["soon"], ["2026-01-31T09:13:59.999Z"], [""], [true], [{}], [[]]].map(
      ([scheduledFor]): CampaignRow => ({
        name: `refuses ${JSON.stringify(scheduledFor)} as a time`,
        given,
        route: send,
        body: { scheduledFor },
        status: 400,
        code: "BAD_REQUEST",
        after: async (it) => {
          expect((await campaignOf(it, id)).status).toBe("DRAFT")
        },
      }),
    ),
    {
      name: "counts the audience anew",
      given: async (it) => {
        await given(it, "DRAFT", { type: "TRANSACTIONAL", audienceType: "FILTERED", audienceCondition: onPlan("pro") })
        expect((await campaignOf(it, id)).totalRecipients).toBe(4)
        const body = { email: "fifth@example.com", data: { plan: "pro" } }
        await it.api("POST /contacts", { body })
      },
      route: send,
      status: 200,
      answer: { data: { totalRecipients: 5 } },
    },
    ...["SENDING", "SENT", "CANCELLED"].map(
      (status): CampaignRow => ({
        name: `refuses a campaign that is ${status}`,
        given: (it) => given(it, status),
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
        await given(it, "CANCELLED", { audienceType: "SEGMENT", segmentId })
        expect((await it.api(`DELETE /segments/${segmentId}`)).status).toBe(204)
        const copy = await it.api(`POST /campaigns/${id}/duplicate`)
        expect(copy.body.data).toMatchObject({ segmentId, segment: null, totalRecipients: 0, status: "DRAFT" })
        id = copy.body.data.id
      },
      route: send,
      status: 404,
      code: "RESOURCE_NOT_FOUND",
    },
    {
      name: "refuses a sender whose domain is no longer verified, before the status",
      given: async (it) => {
        await given(it, "SENT")
        await unverify(it, false)
      },
      route: send,
      status: 403,
      code: "INTERNAL_SERVER_ERROR",
      after: (it) => unverify(it, true),
    },
    ...unknown("POST /campaigns/{id}/send"),
  ]),
  { seed },
)

const cancel = () => `POST /campaigns/${id}/cancel`

scenarios(
  "POST /campaigns/{id}/cancel",
  countingCampaigns([
    {
      name: "cancels a scheduled campaign, which keeps its time",
      given: (it) => given(it, "SCHEDULED"),
      route: cancel,
      status: 200,
      answer: {
        success: true,
        message: "The campaign was cancelled.",
        data: { status: "CANCELLED", cancelReason: "user", scheduledFor: later, totalRecipients: 3, cancelledCount: 0 },
      },
      after: async (it) => {
        await it.advance({ days: 60 })
        expect(await campaignOf(it, id)).toMatchObject({ status: "CANCELLED", sentAt: null })
        expect(await mailsOf(it, id)).toEqual([])
      },
    },
    {
      name: "cancels one that has no mail yet",
      given: (it) => given(it, "SENDING"),
      route: cancel,
      status: 200,
      answer: { data: { status: "CANCELLED", totalRecipients: 0, cancelledCount: 0 } },
      after: async (it) => {
        await it.settle()
        expect(await mailsOf(it, id)).toEqual([])
      },
    },
    {
      name: "cancels the mails that wait, in its commit",
      given: async (it) => {
        await given(it, "SENDING")
        await it.app.jobs.drain()
        expect((await mailsOf(it, id)).map(({ status }) => status)).toEqual(["PENDING", "PENDING", "PENDING"])
      },
      route: cancel,
      status: 200,
      answer: { data: { status: "CANCELLED", totalRecipients: 3, cancelledCount: 3, sentCount: 0 } },
      after: async (it) => {
        const before = it.sent().length
        await it.settle()
        expect(it.sent()).toHaveLength(before)
        expect((await mailsOf(it, id)).map(({ status, error }) => `${status} ${error}`)).toEqual(
          Array(3).fill("CANCELLED campaign_cancelled"),
        )
      },
    },
    ...["DRAFT", "SENT", "CANCELLED"].map(
      (status): CampaignRow => ({
        name: `refuses a campaign that is ${status}`,
        given: (it) => given(it, status),
        route: cancel,
        status: 409,
        code: "CONFLICT",
      }),
    ),
    ...unknown("POST /campaigns/{id}/cancel"),
  ]),
  { seed },
)

const remove = () => `DELETE /campaigns/${id}`

scenarios(
  "DELETE /campaigns/{id}",
  countingCampaigns([
    {
      name: "deletes a draft",
      given,
      route: remove,
      status: 200,
      campaigns: -1,
      after: async (it, { body }) => {
        expect(body).toEqual({ success: true, message: "The campaign was deleted." })
        expect((await it.api(`GET /campaigns/${id}`)).status).toBe(404)
      },
    },
    {
      name: "leaves the mails of one that was sent, without their campaign",
      given: (it) => given(it, "SENT"),
      route: remove,
      status: 200,
      campaigns: -1,
      after: async (it) => {
        expect((await it.api(`GET /emails?campaignId=${id}`)).body.total).toBe(0)
        const { body } = await it.api("GET /emails?sourceType=CAMPAIGN")
        expect(body.data.map((mail: { status: string; campaignId: null }) => [mail.status, mail.campaignId])).toEqual(
          Array(3).fill(["SENT", null]),
        )
      },
    },
    {
      name: "deletes one that was cancelled, none of whose mails leaves afterwards",
      given: async (it) => {
        await given(it, "SENDING")
        await it.app.jobs.drain()
        await cancelCampaign(it, id)
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
        given: (it) => given(it, status),
        route: remove,
        status: 409,
        code: "CONFLICT",
        after: async (it) => {
          expect((await campaignOf(it, id)).status).toBe(status)
        },
      }),
    ),
    ...unknown("DELETE /campaigns/{id}"),
  ]),
  { seed },
)

const copy = () => `POST /campaigns/${id}/duplicate`

scenarios(
  "POST /campaigns/{id}/duplicate",
  countingCampaigns([
    ...["DRAFT", "SCHEDULED", "SENDING", "SENT", "CANCELLED"].map(
      (status): CampaignRow => ({
        name: `copies a campaign that is ${status} to a draft without a history`,
        given: (it) => given(it, status, { description: "d", fromName: "F", replyTo: "r@acme.test", type: "HEADLESS" }),
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
        after: (_, { body }) => expect(body.data.id).not.toBe(id),
      }),
    ),
    {
      name: "copies the condition of a filter",
      given: (it) => given(it, "DRAFT", { audienceType: "FILTERED", audienceCondition: onPlan("pro") }),
      route: copy,
      status: 201,
      answer: { data: { audienceType: "FILTERED", audienceCondition: onPlan("pro"), totalRecipients: 3 } },
    },
    ...unknown("POST /campaigns/{id}/duplicate"),
  ]),
  { seed },
)

scenarios(
  "GET /campaigns/{id}",
  countingCampaigns([
    { name: "shows a campaign", given, route: () => `GET /campaigns/${id}`, status: 200, answer: { success: true } },
    {
      name: "shows no segment once it is gone, and its id for ever",
      given: async (it) => {
        const segmentId = await createSegment(it, { name: "Pro", condition: onPlan("pro") })
        await given(it, "CANCELLED", { audienceType: "SEGMENT", segmentId })
        expect((await campaignOf(it, id)).segment).toEqual({ id: segmentId, name: "Pro" })
        await it.app.store.write(async (unit) => {
          await unit.db.delete(segmentTable).where(eq(segmentTable.id, segmentId))
        })
      },
      route: () => `GET /campaigns/${id}`,
      status: 200,
      answer: { data: { segment: null, audienceType: "SEGMENT" } },
      after: (_, { body }) => expect(typeof body.data.segmentId).toBe("string"),
    },
    ...unknown("GET /campaigns/{id}"),
  ]),
  { seed },
)

scenarios(
  "GET /campaigns/{id}/stats",
  countingCampaigns([
    {
      name: "tells counts and rates of the mails that left",
      given: async (it) => {
        await given(it, "SENT")
        await it.app.store.write(async (unit) => {
          const [first, second] = await mailsOf(it, id)
          await it.app.emails.report(unit, first?.id ?? "", { kind: "delivery" })
          await it.app.emails.report(unit, second?.id ?? "", { kind: "bounce", bounceType: "Permanent" })
        })
      },
      route: () => `GET /campaigns/${id}/stats`,
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
    ...unknown("GET /campaigns/{id}/stats"),
  ]),
  { seed },
)

scenarios(
  "POST /campaigns/{id}/test",
  countingCampaigns([
    {
      name: "refuses an address that belongs to no member of the project",
      given,
      route: () => `POST /campaigns/${id}/test`,
      body: { email: "seeded0@example.com" },
      status: 403,
      code: "FORBIDDEN",
    },
    ...unknown("POST /campaigns/{id}/test", { email: "ada@example.com" }),
  ]),
  { seed },
)

const linked = '<p>{{unsubscribeUrl}} <a href="https://acme.test/page">read</a></p>'
const sandboxed = { mode: "sandbox" as const, overrides: {} }
const body = { email: "ADA@example.com" }

scenarios(
  "POST /campaigns/{id}/test in the sandbox",
  countingCampaigns([
    {
      name: "sends to anybody, with the address alone, and leaves no trace but the mail",
      given: (it) => given(it, "DRAFT", { subject: "{{first ?? you}} {{email}} {{id}}", body: linked }),
      route: () => `POST /campaigns/${id}/test`,
      body,
      status: 200,
      mails: 1,
      after: async (it, answer) => {
        expect(answer.body).toEqual({ success: true, message: "The test message is on its way." })
        await it.settle()
        const { data } = (await it.api("GET /emails?to=ada@example.com")).body
        expect(data[0]).toMatchObject({
          to: "ada@example.com",
          subject: "[TEST] you ada@example.com",
          contactId: null,
          campaignId: null,
          sourceType: "TRANSACTIONAL",
          status: "DELIVERED",
          from: "news@acme.test",
          fromName: "Acme",
        })
        const { body: mail } = await it.api(`GET /emails/${data[0].id}`)
        expect(mail.headers["X-Posthorn-Test"]).toBe("true")
        expect(Object.keys(mail.headers)).not.toContain("List-Unsubscribe")
        const raw = await it.api(`GET /emails/${data[0].id}/raw`)
        expect(raw.body).toContain("X-Posthorn-Test: true")
        expect(raw.body).toContain("https://acme.test/page")
        expect(raw.body).not.toMatch(/\/t\/[oc]\//)
        expect(await it.app.store.read.$count(campaignTable)).toBeGreaterThan(0)
        expect(await campaignOf(it, id)).toMatchObject({ status: "DRAFT", sentCount: 0 })
        expect((await it.api("GET /events")).body.data).toEqual([])
      },
    },
    {
      name: "fills it with the data of the contact that has the address",
      given: async (it) => {
        await it.api("POST /contacts", { body: { email: "bo@example.com", data: { first: "Bo" }, subscribed: false } })
        await given(it, "SENT")
      },
      route: () => `POST /campaigns/${id}/test`,
      body: { email: "bo@example.com" },
      status: 200,
      mails: 1,
      after: async (it) => {
        const { data } = (await it.api("GET /emails?to=bo@example.com")).body
        expect(data[0]).toMatchObject({ subject: "[TEST] Hi Bo", contactId: null })
      },
    },
    {
      name: "wants an address",
      given,
      route: () => `POST /campaigns/${id}/test`,
      body: {},
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { email: "required" },
    },
    {
      name: "wants an address that is one",
      given,
      route: () => `POST /campaigns/${id}/test`,
      body: { email: "ada" },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { email: "invalid_string" },
    },
    {
      name: "refuses content that cannot be rendered",
      given: (it) =>
        given(it, "DRAFT", {
          body: "{{#each data.list}}{{#each ../data.list}}{{#each ../../data.list}}{{#each ../../../data.list}}x{{/each}}{{/each}}{{/each}}{{/each}}",
        }).then(async () => {
          const list = Array.from({ length: 2_000 }, (_, n) => n)
          await it.api("POST /contacts", { body: { email: "poison@example.com", data: { list } } })
        }),
      route: () => `POST /campaigns/${id}/test`,
      body: { email: "poison@example.com" },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { body: "custom" },
    },
    ...unknown("POST /campaigns/{id}/test", body),
  ]),
  { ...sandboxed, seed },
)
