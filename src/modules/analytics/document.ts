import { type Static, Type as t } from "@sinclair/typebox"
import { about, id, named, query } from "../../http/openapi/describe.ts"

const count = () => t.Integer()
const percent = () => t.Number({ minimum: 0, maximum: 100 })
const date = () => t.String({ format: "date" })

export const seriesSchema = t.Array(
  named(
    "DayFigures",
    t.Object({
      date: date(),
      emails: about("Mails sent on this day.", count()),
      delivered: count(),
      opens: about("Mails first opened on this day.", count()),
      clicks: count(),
      bounces: count(),
    }),
  ),
)

export const seriesExample: Static<typeof seriesSchema> = [
  { date: "2026-01-31", emails: 3, delivered: 3, opens: 1, clicks: 0, bounces: 0 },
]

export const topCampaignsSchema = t.Array(
  named(
    "TopCampaign",
    t.Object({
      id: id(),
      name: t.String(),
      subject: t.String(),
      sentCount: count(),
      openedCount: count(),
      clickedCount: count(),
      openRate: percent(),
      clickRate: percent(),
    }),
  ),
)

export const topCampaignsExample: Static<typeof topCampaignsSchema> = [
  {
    id: "0199c0de-0000-7000-8000-00000000000c",
    name: "June news",
    subject: "Hi {{first ?? there}}",
    sentCount: 160,
    openedCount: 40,
    clickedCount: 10,
    openRate: 25,
    clickRate: 6.25,
  },
]

export const campaignStatsSchema = named(
  "CampaignSummary",
  t.Object({
    total: about("Campaigns created in the period.", count()),
    active: about("Those that are DRAFT, SCHEDULED or SENDING.", count()),
    completed: about("Those that are SENT.", count()),
    averageOpenRate: about("Percent of all their sent mails.", percent()),
    averageClickRate: percent(),
  }),
)

export const campaignStatsExample: Static<typeof campaignStatsSchema> = {
  total: 3,
  active: 1,
  completed: 2,
  averageOpenRate: 25,
  averageClickRate: 6.25,
}

export const topEventsSchema = t.Array(
  named(
    "TopEvent",
    t.Object({
      name: t.String(),
      count: count(),
      trend: about("Whole percent against the equally long span before; 100 when that had none.", t.Integer()),
    }),
  ),
)

const figures = {
  sent: count(),
  delivered: count(),
  opened: about("Mails first opened then, by programs too.", count()),
  machineOpened: about("The part of `opened` that only programs have opened so far.", count()),
  clicked: count(),
  bounced: count(),
  complained: count(),
}

export const overviewSchema = named(
  "AnalyticsOverview",
  t.Object({
    startDate: date(),
    endDate: date(),
    current: named("Figures", t.Object(figures)),
    previous: about("The figures of the equally long span before.", named("Figures", t.Object(figures))),
    days: t.Array(t.Object({ date: date(), ...figures })),
  }),
)

const example = { sent: 3, delivered: 3, opened: 2, machineOpened: 1, clicked: 1, bounced: 0, complained: 0 }
export const overviewExample: Static<typeof overviewSchema> = {
  startDate: "2026-01-31",
  endDate: "2026-01-31",
  current: example,
  previous: example,
  days: [{ date: "2026-01-31", ...example }],
}

export const domainsSchema = t.Array(
  named(
    "DomainFigures",
    t.Object({
      domain: about("The domain of the recipient.", t.String()),
      sentCount: count(),
      deliveredCount: about("The mails of `sentCount` that were delivered, at any time; so for the rest.", count()),
      openedCount: count(),
      clickedCount: count(),
      bouncedCount: count(),
      complainedCount: count(),
      deliveryRate: percent(),
      openRate: percent(),
      clickRate: percent(),
      bounceRate: percent(),
      complaintRate: percent(),
    }),
  ),
)

export const domainsExample: Static<typeof domainsSchema> = [
  {
    domain: "example.com",
    sentCount: 160,
    deliveredCount: 150,
    openedCount: 40,
    clickedCount: 10,
    bouncedCount: 4,
    complainedCount: 1,
    deliveryRate: 93.75,
    openRate: 25,
    clickRate: 6.25,
    bounceRate: 2.5,
    complaintRate: 0.63,
  },
]

/** How many items to return: as many as `usual` unless it says otherwise, and `most` at most. */
export const limitQuery = (usual: number, most: number) =>
  query({ limit: about("How many items to return.", t.Integer({ minimum: 1, maximum: most, default: usual })) })
