import { type Static, Type as t } from "@sinclair/typebox"
import { about, anyObject, id, named, orNull, query, time } from "../../http/openapi/describe.ts"

/** Contract B7.1.0. */
export const activitySchema = named(
  "Activity",
  t.Object({
    id: about("The same item always has the same id.", t.String()),
    type: t.String(),
    timestamp: time(),
    contactId: orNull(id()),
    contactEmail: about("Null, as the id is, for what belongs to no contact.", orNull(t.String({ format: "email" }))),
    metadata: about("What it holds depends on the type.", anyObject()),
  }),
)

export const activityExample: Static<typeof activitySchema> = {
  id: "0199c0de-0000-7000-8000-00000000000b",
  type: "event.triggered",
  timestamp: "2026-01-31T09:15:00.000Z",
  contactId: "0199c0de-0000-7000-8000-00000000000a",
  contactEmail: "ada@example.com",
  metadata: { eventName: "purchase", eventData: { amount: 99 } },
}

/** Parameters of `GET /activity` in addition to those of its page and its period. */
export const activityFilters = query({
  types: about("Types separated by commas; unknown ones are ignored. All when absent.", t.String()),
  contactId: about("What belongs to this contact.", t.String()),
})

const percent = () => t.Number({ minimum: 0, maximum: 100 })

export const statsSchema = named(
  "ActivityStats",
  t.Object({
    totalEvents: about("Stored events of any name.", t.Integer()),
    totalEmailsSent: t.Integer(),
    totalEmailsOpened: about("Mails first opened then, whenever they were sent.", t.Integer()),
    totalEmailsClicked: t.Integer(),
    totalWorkflowsStarted: t.Integer(),
    openRate: about("Percent of the mails sent then.", percent()),
    clickRate: percent(),
  }),
)

export const statsExample: Static<typeof statsSchema> = {
  totalEvents: 12,
  totalEmailsSent: 4,
  totalEmailsOpened: 2,
  totalEmailsClicked: 1,
  totalWorkflowsStarted: 0,
  openRate: 50,
  clickRate: 25,
}

export const recentSchema = named("RecentActivity", t.Object({ count: t.Integer(), minutes: t.Integer() }))

export const recentQuery = query({
  minutes: about("How far back.", t.Integer({ minimum: 1, maximum: 60, default: 5 })),
})

export const typesSchema = named("ActivityTypes", t.Object({ types: t.Array(t.String()) }))

export const upcomingSchema = named("UpcomingActivity", t.Object({ activities: t.Array(activitySchema) }))

export const upcomingQuery = query({
  limit: about("How many items to return.", t.Integer({ minimum: 1, maximum: 100, default: 20 })),
  daysAhead: about("How many days to look ahead.", t.Integer({ minimum: 1, maximum: 90, default: 30 })),
})
