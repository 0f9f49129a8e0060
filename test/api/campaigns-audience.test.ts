import { expect } from "bun:test"
import type { TestApp } from "../harness/app.ts"
import { audiences, type CampaignRow, countingCampaigns, onPlan, unknownId } from "../harness/campaigns.ts"
import { scenarios } from "../harness/scenarios.ts"

const { ids, seed } = audiences()

const toSegment = (segmentId = ids.segment) => ({ audienceType: "SEGMENT", segmentId })
const toPlan = (plan: string) => ({ audienceType: "FILTERED", audienceCondition: onPlan(plan) })

const counted = (name: string, body: CampaignRow["body"], recipients: number, row: Partial<CampaignRow> = {}) => ({
  name,
  body,
  status: 200,
  after: (_: TestApp, answer: { body: unknown }) =>
    expect(answer.body).toEqual({ success: true, data: { recipients } }),
  ...row,
})
const refused = (name: string, body: object, fields: Record<string, string>): CampaignRow => ({
  name,
  body,
  status: 422,
  code: "VALIDATION_ERROR",
  fields,
})

scenarios(
  "POST /campaigns/audience",
  countingCampaigns([
    counted("counts the subscribed contacts", { audienceType: "ALL" }, 5),
    counted("takes null for what is left out", { audienceType: "ALL", type: null, segmentId: null }, 5),
    counted("counts the subscribed ones for a headless campaign", { audienceType: "ALL", type: "HEADLESS" }, 5),
    counted("counts all for a transactional one", { audienceType: "ALL", type: "TRANSACTIONAL" }, 10),
    counted("counts the subscribed members of a segment", () => toSegment(ids.segment.toUpperCase()), 3),
    counted("counts its members for a transactional campaign", () => ({ ...toSegment(), type: "TRANSACTIONAL" }), 5),
    counted("counts the subscribed contacts that a condition matches", toPlan("free"), 2),
    counted("counts whom it matches for a transactional campaign", { ...toPlan("free"), type: "TRANSACTIONAL" }, 5),
    counted("counts 0 where no contact matches", toPlan("none"), 0),
    counted("drops what does not belong to the type of the audience", { audienceType: "ALL", ...nothingOfIt() }, 5),
    counted("counts as it is now", () => toSegment(), 4, {
      given: (it) => it.api("POST /contacts", { body: { email: "new@acme.test", data: { plan: "pro" } } }),
    }),
    counted("counts the contacts of the project alone", { audienceType: "ALL" }, 0, { key: () => ids.other }),
    refused("wants an audience", {}, { audienceType: "required" }),
    refused(
      "knows three types and three audiences",
      { type: "NEWS", audienceType: "all" },
      { type: "invalid_enum", audienceType: "invalid_enum" },
    ),
    refused("wants a segment for a segment", { audienceType: "SEGMENT" }, { segmentId: "required" }),
    refused(
      "wants a segment by its id",
      { audienceType: "SEGMENT", segmentId: "pro" },
      { segmentId: "invalid_string" },
    ),
    refused("wants a condition for a filter", { audienceType: "FILTERED" }, { audienceCondition: "required" }),
    {
      name: "answers 404 for an unknown segment",
      body: toSegment(unknownId),
      status: 404,
      code: "RESOURCE_NOT_FOUND",
    },
    {
      name: "does not know a segment of another project",
      key: () => ids.other,
      body: () => toSegment(),
      status: 404,
      code: "RESOURCE_NOT_FOUND",
    },
    {
      name: "names every fault of a condition by its path",
      body: {
        audienceType: "FILTERED",
        audienceCondition: {
          logic: "AND",
          groups: [
            { filters: [{ field: "plan", operator: "equals", value: "a" }] },
            { filters: [{ field: "data.plan", operator: "like", value: "a" }] },
          ],
        },
      },
      status: 400,
      code: "BAD_REQUEST",
      fields: {
        "audienceCondition.groups.0.filters.0.field": "invalid_string",
        "audienceCondition.groups.1.filters.0.operator": "invalid_enum",
      },
    },
    { name: "refuses a public key", key: "pk", body: { audienceType: "ALL" }, status: 401, code: "INVALID_API_KEY" },
  ]),
  { seed },
)

function nothingOfIt() {
  return { segmentId: unknownId, audienceCondition: { logic: "NONE" } }
}
