import { type Static, type TSchema, Type as t } from "@sinclair/typebox"
import {
  about,
  answers,
  anyObject,
  id,
  named,
  oneOf,
  orNull,
  query,
  time,
  wrapped,
} from "../../http/openapi/describe.ts"
import { mailTypes } from "../templates/index.ts"
import { sortKeys } from "./store.ts"
import { audienceTypes, campaignStatuses, cancelReasons } from "./table.ts"

const address = () => t.String({ format: "email" })

const counts = {
  totalRecipients: about("The size of the audience; once sending is over, the mails there are.", t.Integer()),
  sentCount: about("Mails that a mail server accepted.", t.Integer()),
  deliveredCount: t.Integer(),
  openedCount: about("Mails that were opened, however often.", t.Integer()),
  clickedCount: t.Integer(),
  bouncedCount: t.Integer(),
  complainedCount: t.Integer(),
  unsubscribedCount: about("Recipients who left by this mail.", t.Integer()),
  failedCount: t.Integer(),
  cancelledCount: t.Integer(),
}

/** Contract B1.1. */
export const campaignSchema = named(
  "Campaign",
  t.Object({
    id: id(),
    name: t.String(),
    description: orNull(t.String()),
    subject: t.String(),
    body: about("HTML with template tags.", t.String()),
    text: about("The text part; null when it is made from the HTML.", orNull(t.String())),
    from: address(),
    fromName: orNull(t.String()),
    replyTo: orNull(address()),
    type: about("`TRANSACTIONAL` goes to everybody, the others to subscribed contacts alone.", oneOf(mailTypes)),
    status: oneOf(campaignStatuses),
    audienceType: oneOf(audienceTypes),
    audienceCondition: orNull(anyObject()),
    segmentId: orNull(id()),
    segment: about("Null once the segment is deleted.", orNull(t.Object({ id: id(), name: t.String() }))),
    scheduledFor: orNull(time()),
    ...counts,
    cancelReason: orNull(oneOf(cancelReasons)),
    projectId: id(),
    sentAt: about("When sending started.", orNull(time())),
    createdAt: time(),
    updatedAt: time(),
  }),
)

export const newCampaignExample = {
  name: "June news",
  subject: "Hi {{first ?? there}}",
  body: "<p>What is new, {{first ?? friend}}.</p>",
  from: "news@shop.test",
  audienceType: "ALL" as const,
}

const noCounts = {
  totalRecipients: 120,
  sentCount: 0,
  deliveredCount: 0,
  openedCount: 0,
  clickedCount: 0,
  bouncedCount: 0,
  complainedCount: 0,
  unsubscribedCount: 0,
  failedCount: 0,
  cancelledCount: 0,
}

export const campaignExample: Static<typeof campaignSchema> = {
  id: "0199c0de-0000-7000-8000-00000000000d",
  description: null,
  text: null,
  fromName: null,
  replyTo: null,
  type: "MARKETING",
  status: "DRAFT",
  audienceCondition: null,
  segmentId: null,
  segment: null,
  scheduledFor: null,
  ...noCounts,
  cancelReason: null,
  ...newCampaignExample,
  projectId: "0199c0de-0000-7000-8000-000000000001",
  sentAt: null,
  createdAt: "2026-01-31T09:15:00.000Z",
  updatedAt: "2026-01-31T09:15:00.000Z",
}

/** The parameters of `GET /campaigns` in addition to those of its page. */
export const campaignFilters = query({
  status: about("Another than these is refused.", oneOf(campaignStatuses)),
  search: about("Text in name, subject or sender, in any case.", t.String()),
  sort: about("`createdAt` when left out.", oneOf(sortKeys)),
  dir: about("`desc` when left out.", oneOf(["desc", "asc"])),
})

const rate = () => t.Number({ description: "Percent of `sentCount`, with two decimals." })

/** Contract B1.8. */
export const statsSchema = named(
  "CampaignStats",
  t.Object({
    ...counts,
    openRate: rate(),
    clickRate: rate(),
    bounceRate: rate(),
    deliveryRate: rate(),
    complaintRate: rate(),
    unsubscribeRate: rate(),
  }),
)

const statsExample: Static<typeof statsSchema> = {
  totalRecipients: 200,
  sentCount: 160,
  deliveredCount: 150,
  openedCount: 40,
  clickedCount: 10,
  bouncedCount: 4,
  complainedCount: 1,
  unsubscribedCount: 2,
  failedCount: 0,
  cancelledCount: 40,
  openRate: 25,
  clickRate: 6.25,
  bounceRate: 2.5,
  deliveryRate: 93.75,
  complaintRate: 0.63,
  unsubscribeRate: 1.25,
}

/** Contract B1.8.1. */
export const engagementSchema = named(
  "CampaignEngagement",
  t.Object({
    links: about(
      "The links that were followed, at most 100, the most followed first.",
      t.Array(t.Object({ url: t.String(), clicks: t.Integer() })),
    ),
    hasMoreLinks: t.Boolean(),
    hours: about(
      "The first 48 hours since sending started; empty before it does.",
      t.Array(t.Object({ startsAt: time(), opens: t.Integer(), clicks: t.Integer() })),
    ),
  }),
)

const engagementExample: Static<typeof engagementSchema> = {
  links: [{ url: "https://shop.test/news", clicks: 12 }],
  hasMoreLinks: false,
  hours: [{ startsAt: "2026-02-03T08:00:00.000Z", opens: 31, clicks: 12 }],
}

const success = true as const
const withMessage = <S extends TSchema>(data: S) =>
  t.Object({ success: t.Literal(true), data, message: about("For people.", t.String()) })

export const campaignAnswer = answers(200, wrapped(campaignSchema), { success, data: campaignExample })
export const campaignCreated = answers(201, wrapped(campaignSchema), { success, data: campaignExample })
export const campaignDuplicated = answers(201, withMessage(campaignSchema), {
  success,
  data: { ...campaignExample, name: "June news (Copy)" },
  message: "The campaign was duplicated.",
})
export const transitionAnswer = (message: string, change: Partial<Static<typeof campaignSchema>>) =>
  answers(200, withMessage(campaignSchema), { success, data: { ...campaignExample, ...change }, message })
export const recipientsSchema = named(
  "CampaignRecipients",
  t.Object({ recipients: about("How many would get it now.", t.Integer()) }),
)
export const recipientsAnswer = answers(200, wrapped(recipientsSchema), { success, data: { recipients: 120 } })
export const messageAnswer = (message: string) =>
  answers(200, t.Object({ success: t.Literal(true), message: t.String() }), { success, message })
export const statsAnswer = answers(200, wrapped(statsSchema), { success, data: statsExample })
export const engagementAnswer = answers(200, wrapped(engagementSchema), { success, data: engagementExample })
