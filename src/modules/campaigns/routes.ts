import { Elysia } from "elysia"
import { refuses } from "../../http/openapi/describe.ts"
import { pageAnswer, pageIn, pageList, pageQuery } from "../../http/page.ts"
import { pathId } from "../../http/path-id.ts"
import type { Protect } from "../../http/protect.ts"
import type { Clock } from "../../kernel/clock.ts"
import type { CampaignActions } from "./actions.ts"
import {
  campaignAnswer,
  campaignCreated,
  campaignDuplicated,
  campaignExample,
  campaignFilters,
  campaignSchema,
  engagementAnswer,
  messageAnswer,
  recipientsAnswer,
  statsAnswer,
  transitionAnswer,
} from "./document.ts"
import type { ReadEngagement } from "./engagement.ts"
import { scheduleIn } from "./schedule.ts"
import type { CampaignReport } from "./store.ts"
import type { SendTest } from "./test-email.ts"
import {
  addressIn,
  audienceBody,
  audienceIn,
  campaignBody,
  filterIn,
  orderIn,
  presentCampaign,
  presentEngagement,
  presentStats,
  requestIn,
  sendBody,
  testEmailBody,
} from "./wire.ts"

const success = true
const wrap = (report: CampaignReport) => ({ success, data: presentCampaign(report) })
const campaignId = (params: { id: string }): string => pathId("Campaign", params.id)

const testedMessage = "The test message is on its way."
const deletedMessage = "The campaign was deleted."
const duplicatedMessage = "The campaign was duplicated."
const cancelledMessage = "The campaign was cancelled."
const sendingMessage = "The campaign is being sent."

interface CampaignRouteActions extends CampaignActions {
  readonly sendTest: SendTest
  readonly engagement: ReadEngagement
}

export const campaignRoutes = (campaigns: CampaignRouteActions, protect: Protect, clock: Pick<Clock, "now">) =>
  new Elysia({ prefix: "/campaigns", detail: { tags: ["Campaigns"] } })
    .use(protect({ accept: "member" }))
    .get(
      "/",
      async ({ project, query }) => {
        const paging = pageIn(query)
        const { rows, total } = await campaigns.list(project.id, filterIn(query), orderIn(query), paging)
        return pageList(rows, { paging, total, present: presentCampaign })
      },
      {
        detail: {
          operationId: "listCampaigns",
          summary: "List campaigns",
          parameters: [...pageQuery, ...campaignFilters],
          responses: { ...pageAnswer(campaignSchema, campaignExample), ...refuses(400) },
        },
      },
    )
    .post(
      "/",
      async ({ project, body, set }) => {
        const report = await campaigns.create(project.id, requestIn(body))
        set.status = 201
        return wrap(report)
      },
      {
        body: campaignBody,
        detail: {
          operationId: "createCampaign",
          summary: "Create a campaign",
          description: "It is a draft until it is sent.",
          responses: { ...campaignCreated, ...refuses(404) },
        },
      },
    )
    // For the dashboard: `totalRecipients` of the record is the size at the last write (contract B1.1.4).
    .post(
      "/audience",
      async ({ project, body }) => ({
        success,
        data: { recipients: await campaigns.countRecipients(project.id, audienceIn(body)) },
      }),
      {
        body: audienceBody,
        detail: {
          operationId: "countRecipients",
          summary: "Count the recipients of an audience",
          description: "As of now. The audience need not be stored.",
          responses: { ...recipientsAnswer, ...refuses(400, 404) },
        },
      },
    )
    .get("/:id", async ({ project, params }) => wrap(await campaigns.report(project.id, campaignId(params))), {
      detail: { operationId: "getCampaign", summary: "Get a campaign", responses: campaignAnswer },
    })
    .put(
      "/:id",
      async ({ project, params, body }) =>
        wrap(await campaigns.replace(project.id, campaignId(params), requestIn(body))),
      {
        body: campaignBody,
        detail: {
          operationId: "replaceCampaign",
          summary: "Replace a campaign",
          description: "Replaces all fields: those left out return to their defaults. Only before it is sent.",
          responses: { ...campaignAnswer, ...refuses(409) },
        },
      },
    )
    .delete(
      "/:id",
      async ({ project, params }) => {
        await campaigns.remove(project.id, campaignId(params))
        return { success, message: deletedMessage }
      },
      {
        detail: {
          operationId: "deleteCampaign",
          summary: "Delete a campaign",
          description: "Refused while it is scheduled or being sent. Its emails stay.",
          responses: { ...messageAnswer(deletedMessage), ...refuses(409) },
        },
      },
    )
    .post(
      "/:id/duplicate",
      async ({ project, params, set }) => {
        const report = await campaigns.duplicate(project.id, campaignId(params))
        set.status = 201
        return { ...wrap(report), message: duplicatedMessage }
      },
      { detail: { operationId: "duplicateCampaign", summary: "Duplicate a campaign", responses: campaignDuplicated } },
    )
    .post(
      "/:id/send",
      async ({ project, params, body }) => {
        const id = campaignId(params)
        // An unknown campaign is reported before any fault of the body (contract A1.6).
        await campaigns.get(project.id, id)
        const scheduledFor = scheduleIn(body.scheduledFor, clock.now())
        const report = await campaigns.send(project.id, id, scheduledFor)
        const data = presentCampaign(report)
        return {
          success,
          data,
          message: scheduledFor === null ? sendingMessage : `It will be sent at ${data.scheduledFor}.`,
        }
      },
      {
        body: sendBody,
        detail: {
          operationId: "sendCampaign",
          summary: "Send a campaign, or schedule it",
          description: "A scheduled campaign can be scheduled anew, or sent at once.",
          responses: { ...transitionAnswer(sendingMessage, { status: "SENDING" }), ...refuses(400, 409) },
        },
      },
    )
    .post(
      "/:id/cancel",
      async ({ project, params }) => ({
        ...wrap(await campaigns.cancel(project.id, campaignId(params))),
        message: cancelledMessage,
      }),
      {
        detail: {
          operationId: "cancelCampaign",
          summary: "Cancel a campaign",
          description: "Waiting mail is cancelled with it; mail that was sent stays.",
          responses: {
            ...transitionAnswer(cancelledMessage, { status: "CANCELLED", cancelReason: "user" }),
            ...refuses(409),
          },
        },
      },
    )
    .post(
      "/:id/test",
      async ({ project, params, body }) => {
        await campaigns.sendTest(project, campaignId(params), addressIn(body))
        return { success, message: testedMessage }
      },
      {
        body: testEmailBody,
        detail: {
          operationId: "testCampaign",
          summary: "Send a test message of a campaign",
          description: "To a member of the project; in the sandbox to any address. No counter changes.",
          responses: messageAnswer(testedMessage),
        },
      },
    )
    .get(
      "/:id/stats",
      async ({ project, params }) => ({
        success,
        data: presentStats(await campaigns.report(project.id, campaignId(params))),
      }),
      {
        detail: {
          operationId: "getCampaignStats",
          summary: "Get the statistics of a campaign",
          responses: statsAnswer,
        },
      },
    )
    .get(
      "/:id/engagement",
      async ({ project, params }) => ({
        success,
        data: presentEngagement(await campaigns.engagement(project.id, campaignId(params))),
      }),
      {
        detail: {
          operationId: "getCampaignEngagement",
          summary: "Get the followed links of a campaign, and its opens and clicks by hour",
          description: "Every open and click counts, repeated ones too. Links are those after rendering.",
          responses: engagementAnswer,
        },
      },
    )
