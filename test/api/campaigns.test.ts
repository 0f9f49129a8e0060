import { expect } from "bun:test"
import {
  audiences,
  type CampaignRow,
  countingCampaigns,
  fullNews,
  news,
  onPlan,
  unknownId,
} from "../harness/campaigns.ts"
import { scenarios } from "../harness/scenarios.ts"

const { ids, seed } = audiences()

const refused = (name: string, change: object, fields: Record<string, string>): CampaignRow => ({
  name,
  body: { ...news, ...change },
  status: 422,
  code: "VALIDATION_ERROR",
  fields,
})

const conditionFaults = ({ body }: { body: { error: { errors: { field: string; code: string }[] } } }) =>
  body.error.errors.map(({ field, code }) => `${field} ${code}`)

scenarios(
  "POST /campaigns",
  countingCampaigns([
    {
      name: "answers 201 with the whole record of a draft",
      body: { ...fullNews, status: "SENT", id: unknownId, sentCount: 9, scheduledFor: "2030-01-01", unknown: true },
      status: 201,
      after: (it, { body }) => {
        expect(body).toEqual({
          success: true,
          data: {
            id: body.data.id,
            name: "June news",
            description: "Every June",
            subject: news.subject,
            body: news.body,
            text: null,
            from: "news@acme.test",
            fromName: "Acme News",
            replyTo: "reply@acme.test",
            type: "HEADLESS",
            status: "DRAFT",
            audienceType: "ALL",
            audienceCondition: null,
            segmentId: null,
            segment: null,
            scheduledFor: null,
            totalRecipients: 5,
            sentCount: 0,
            deliveredCount: 0,
            openedCount: 0,
            clickedCount: 0,
            bouncedCount: 0,
            complainedCount: 0,
            unsubscribedCount: 0,
            failedCount: 0,
            cancelledCount: 0,
            cancelReason: null,
            projectId: it.project.id,
            sentAt: null,
            createdAt: "2026-01-31T09:15:00.000Z",
            updatedAt: "2026-01-31T09:15:00.000Z",
          },
        })
      },
    },
    {
      name: "gives what is left out its default, null being the same",
      body: { ...news, from: " NEWS@acme.test ", description: null, replyTo: null, type: null, segmentId: null },
      status: 201,
      answer: {
        data: { description: null, fromName: null, replyTo: null, type: "MARKETING", from: "news@acme.test" },
      },
    },
    {
      name: "counts all contacts for a transactional one",
      body: { ...news, type: "TRANSACTIONAL" },
      status: 201,
      answer: { data: { type: "TRANSACTIONAL", totalRecipients: 10 } },
    },
    {
      name: "takes a segment, shows it, and counts its subscribed members",
      body: () => ({ ...news, audienceType: "SEGMENT", segmentId: ids.segment.toUpperCase() }),
      status: 201,
      answer: { data: { totalRecipients: 3, segment: { name: "Pro" }, audienceCondition: null } },
      after: (_, { body }) => {
        expect([body.data.segmentId, body.data.segment.id]).toEqual([ids.segment, ids.segment])
      },
    },
    {
      name: "takes a condition, stores it as it was sent without unknown keys, and counts",
      body: { ...news, audienceType: "FILTERED", audienceCondition: { ...onPlan("free"), extra: 1 } },
      status: 201,
      answer: { data: { totalRecipients: 2, segmentId: null } },
      after: (_, { body }) => {
        expect(body.data.audienceCondition).toEqual(onPlan("free"))
      },
    },
    {
      name: "drops what does not belong to the type of the audience, without a look at its content",
      body: { ...news, segmentId: unknownId, audienceCondition: { logic: "NONE" } },
      status: 201,
      answer: { data: { segmentId: null, audienceCondition: null, audienceType: "ALL" } },
    },
    {
      name: "names every missing field",
      body: {},
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { name: "required", subject: "required", body: "required", from: "required", audienceType: "required" },
    },
    {
      name: "takes null for a missing field",
      body: { name: null, subject: null, body: null, from: null, audienceType: null },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { name: "required", subject: "required", body: "required", from: "required", audienceType: "required" },
    },
    {
      name: "takes the longest name, subject and description",
      body: { ...news, name: "💌".repeat(255), subject: "💌".repeat(998), description: "💌\n".repeat(1_000) },
      status: 201,
      answer: {
        data: { name: "💌".repeat(255), subject: "💌".repeat(998), description: "💌\n".repeat(1_000) },
      },
    },
    refused("wants something in the required ones", { name: "", subject: "", body: "" }, empty()),
    refused("wants more than blanks in them", { name: " ", subject: "  ", body: "\n" }, empty()),
    refused("wants text", { name: 1, description: 2 }, { name: "invalid_type", description: "invalid_type" }),
    refused("wants one line", { subject: "a\nb", fromName: "a\rb" }, lines()),
    refused("has a longest name", { name: "x".repeat(256) }, { name: "too_big" }),
    refused("has a longest description", { description: "x".repeat(2_001) }, { description: "too_big" }),
    refused("has a longest subject", { subject: "x".repeat(999) }, { subject: "too_big" }),
    refused("has a longest sender name", { fromName: "x".repeat(999) }, { fromName: "too_big" }),
    refused("has a longest body", { body: "x".repeat(2_000_001) }, { body: "too_big" }),
    refused("wants addresses", { from: "acme", replyTo: "x@" }, { from: "invalid_string", replyTo: "invalid_string" }),
    refused("knows three types", { type: "NEWS" }, { type: "invalid_enum" }),
    refused("knows three audiences", { audienceType: "all" }, { audienceType: "invalid_enum" }),
    refused(
      "wants a type as text",
      { type: 1, audienceType: 2 },
      { type: "invalid_type", audienceType: "invalid_type" },
    ),
    refused("wants a segment for a segment", { audienceType: "SEGMENT" }, { segmentId: "required" }),
    refused(
      "wants a segment by its id",
      { audienceType: "SEGMENT", segmentId: "pro" },
      { segmentId: "invalid_string" },
    ),
    refused("wants a condition for a filter", { audienceType: "FILTERED" }, { audienceCondition: "required" }),
    refused(
      "wants a condition that is not null",
      { audienceType: "FILTERED", audienceCondition: null },
      { audienceCondition: "required" },
    ),
    refused(
      "wants a condition that is an object",
      { audienceType: "FILTERED", audienceCondition: [] },
      { audienceCondition: "invalid_type" },
    ),
    {
      name: "answers 404 for an unknown segment",
      body: { ...news, audienceType: "SEGMENT", segmentId: unknownId },
      status: 404,
      code: "RESOURCE_NOT_FOUND",
    },
    {
      name: "does not know a segment of another project",
      key: () => ids.other,
      body: () => ({ ...news, audienceType: "SEGMENT", segmentId: ids.segment }),
      status: 404,
      code: "RESOURCE_NOT_FOUND",
    },
    {
      name: "refuses a sender whose domain is not verified",
      body: { ...news, from: "news@sub.acme.test" },
      status: 403,
      code: "INTERNAL_SERVER_ERROR",
    },
    {
      name: "names every fault of a condition by its path",
      body: {
        ...news,
        audienceType: "FILTERED",
        audienceCondition: {
          logic: "AND",
          groups: [
            { filters: [{ field: "data.plan", operator: "equals", value: "a" }] },
            { filters: [{ field: "plan", operator: "equals", value: "a" }] },
            { filters: [{ field: "data.plan", operator: "like", value: "a" }] },
          ],
        },
      },
      status: 400,
      code: "BAD_REQUEST",
      fields: {
        "audienceCondition.groups.1.filters.0.field": "invalid_string",
        "audienceCondition.groups.2.filters.0.operator": "invalid_enum",
      },
    },
    {
      name: "refuses a condition on a segment that is not there",
      body: {
        ...news,
        audienceType: "FILTERED",
        audienceCondition: {
          logic: "AND",
          groups: [{ filters: [{ field: `segment.${unknownId}`, operator: "memberOfSegment" }] }],
        },
      },
      status: 400,
      code: "BAD_REQUEST",
      after: (_, answer) => {
        expect(conditionFaults(answer)).toEqual(["audienceCondition.groups.0.filters.0.field custom"])
      },
    },
    {
      name: "points to a fault in the subject",
      body: { ...news, subject: "Hi {{name" },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { subject: "custom" },
      answer: { error: { details: { field: "subject", line: 1 } } },
    },
    {
      name: "points to an unknown helper in the body",
      body: { ...news, body: "<p>\n{{shout name}}</p>" },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { body: "custom" },
      answer: { error: { details: { field: "body", line: 2 } } },
    },
    {
      name: "looks at the shape before the segment",
      body: { ...news, name: "", audienceType: "SEGMENT", segmentId: unknownId, from: "x@nowhere.test" },
      status: 422,
      code: "VALIDATION_ERROR",
      fields: { name: "too_small" },
    },
    {
      name: "looks at the segment before the sender",
      body: { ...news, audienceType: "SEGMENT", segmentId: unknownId, from: "x@nowhere.test" },
      status: 404,
      code: "RESOURCE_NOT_FOUND",
    },
    {
      name: "looks at the sender before the condition",
      body: { ...news, from: "x@nowhere.test", audienceType: "FILTERED", audienceCondition: {} },
      status: 403,
      code: "INTERNAL_SERVER_ERROR",
    },
    {
      name: "looks at the condition before the template",
      body: { ...news, subject: "{{", audienceType: "FILTERED", audienceCondition: {} },
      status: 400,
      code: "BAD_REQUEST",
    },
    { name: "refuses a public key", key: "pk", body: news, status: 401, code: "INVALID_API_KEY" },
  ]),
  { seed },
)

function empty(): Record<string, string> {
  return { name: "too_small", subject: "too_small", body: "too_small" }
}
function lines(): Record<string, string> {
  return { subject: "invalid_string", fromName: "invalid_string" }
}
