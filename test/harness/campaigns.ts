import { expect } from "bun:test"
import { asc, eq } from "drizzle-orm"
import { campaignTable } from "../../src/modules/campaigns/index.ts"
import { type Email, emailTable } from "../../src/modules/emails/index.ts"
import type { ApiAnswer } from "./api.ts"
import { appOfTest, type TestApp, type TestOptions } from "./app.ts"
import { seedContacts } from "./contacts.ts"
import type { Scenario } from "./scenarios.ts"

/** The required fields of a campaign. */
export const news = {
  name: "June news",
  subject: "Hi {{first ?? there}}",
  body: "<p>What is new, {{first ?? friend}}.</p>",
  from: "news@acme.test",
  audienceType: "ALL",
} as const

/** Every field that a campaign to all contacts can have. */
export const fullNews = {
  ...news,
  description: "Every June",
  fromName: "Acme News",
  replyTo: "Reply@Acme.test",
  type: "HEADLESS",
} as const

/** A condition on the custom field `plan`. */
export const onPlan = (value: string) => ({
  logic: "AND",
  groups: [{ filters: [{ field: "data.plan", operator: "equals", value }] }],
})

/** An app for the current test, with that many subscribed contacts, a0@example.com and on. */
export async function startWith(count: number, options: TestOptions = {}): Promise<TestApp> {
  const it = await appOfTest(options)
  await seedContacts(it, count, (at) => ({ email: `a${at}@example.com`, data: { first: `A${at}` } }))
  return it
}

/** Creates a campaign by its endpoint and resolves with its record. */
export async function createCampaign(it: TestApp, fields: object = {}): Promise<ApiAnswer["body"]> {
  const { status, body } = await it.api("POST /campaigns", { body: { ...news, ...fields } })
  expect(status).toBe(201)
  return body.data
}

/** Creates a campaign and sends it, at once or at a time; resolves with its id. Nothing has run yet. */
export async function startCampaign(it: TestApp, fields: object = {}, scheduledFor?: string): Promise<string> {
  const { id } = await createCampaign(it, fields)
  await sendCampaign(it, id, scheduledFor)
  return id
}

export async function sendCampaign(it: TestApp, id: string, scheduledFor?: string): Promise<void> {
  const { status } = await it.api(`POST /campaigns/${id}/send`, { body: scheduledFor ? { scheduledFor } : {} })
  expect(status).toBe(200)
}

export const campaignOf = async (it: TestApp, id: string): Promise<ApiAnswer["body"]> =>
  (await it.api(`GET /campaigns/${id}`)).body.data

export const cancelCampaign = (it: TestApp, id: string): Promise<ApiAnswer> => it.api(`POST /campaigns/${id}/cancel`)

/** The mails of a campaign, oldest first. */
export const mailsOf = ({ app }: TestApp, campaignId: string): Promise<Email[]> =>
  app.store.read.select().from(emailTable).where(eq(emailTable.campaignId, campaignId)).orderBy(asc(emailTable.id))

export const statusesOf = async (it: TestApp, id: string): Promise<string[]> =>
  (await mailsOf(it, id)).map(({ status }) => status)

/** The recipients of the mails of a campaign, one entry per mail, sorted. */
export const addressesOf = async (it: TestApp, id: string): Promise<string[]> =>
  (await mailsOf(it, id)).map(({ to }) => to).sort()

export async function createSegment(it: TestApp, fields: object): Promise<string> {
  const { status, body } = await it.api("POST /segments", { body: { name: "Segment", ...fields } })
  expect(status).toBe(201)
  return body.id
}

type Late<T> = T | (() => T)
const settled = <T>(value: Late<T>): T => (typeof value === "function" ? (value as () => T)() : value)

/**
 * A row with checks of the state `after` the request, and the number of new campaigns; 1 with status 201, otherwise 0.
 * Properties that depend on `given` are evaluated late.
 */
export interface CampaignRow extends Omit<Scenario, "afterwards" | "route" | "body" | "key"> {
  readonly route?: Late<string>
  readonly body?: Late<unknown>
  readonly key?: Late<string>
  readonly after?: NonNullable<Scenario["afterwards"]>
  readonly campaigns?: number
}

export const countingCampaigns = (rows: readonly CampaignRow[]): Scenario[] =>
  rows.map(({ after, campaigns, route, body, key, ...row }) => {
    const count = ({ app }: TestApp) => app.store.read.$count(campaignTable)
    let before = 0
    const scenario = {
      ...row,
      async given(it: TestApp) {
        await row.given?.(it)
        before = await count(it)
      },
      async afterwards(it: TestApp, answer: ApiAnswer) {
        expect((await count(it)) - before).toBe(campaigns ?? (row.status === 201 ? 1 : 0))
        await after?.(it, answer)
      },
    }
    return withLate(scenario, { route, body, key })
  })

export const unknownId = "0199c0de-0000-7000-9000-000000000001"

/** The shared state of rows about audiences. */
export function audiences() {
  /** A segment of those on pro, and the secret key of another project. */
  const ids = { segment: "", other: "" }

  /** Ten contacts, every second one on plan pro, the first five subscribed. */
  async function seed(it: TestApp): Promise<void> {
    await seedContacts(it, 10, (at) => ({ subscribed: at < 5, data: { plan: at % 2 === 0 ? "pro" : "free" } }))
    ids.segment = await createSegment(it, { name: "Pro", condition: onPlan("pro") })
    ids.other = (await it.app.projects.create("Other")).secret
  }

  return { ids, seed }
}

/** The shared state of rows about one campaign: `id` is the campaign of the current row. */
export function oneCampaign() {
  let otherKey = ""
  const one = {
    id: unknownId,

    /** Four contacts, three of them subscribed, and another project. */
    async seed(it: TestApp): Promise<void> {
      await seedContacts(it, 4, (at) => ({ subscribed: at < 3, data: { plan: "pro" } }))
      otherKey = (await it.app.projects.create("Other")).secret
    },

    /** Brings a new campaign into a status, running only the necessary work. */
    async given(it: TestApp, status = "DRAFT", fields: object = {}): Promise<void> {
      const time = status === "SCHEDULED" ? "2026-03-01T10:00:00Z" : undefined
      if (status === "DRAFT") one.id = (await createCampaign(it, fields)).id
      else one.id = await startCampaign(it, fields, time)
      if (status === "SENT") await it.settle()
      if (status === "CANCELLED") await cancelCampaign(it, one.id)
      expect((await campaignOf(it, one.id)).status).toBe(status)
    },

    /** Rows for a path with `{id}` in it: campaigns that do not exist, or of another project. */
    unknown(path: string, body?: object): CampaignRow[] {
      const refused = { ...(body ? { body } : {}), status: 404, code: "CAMPAIGN_NOT_FOUND" }
      return [
        { name: "answers 404 for an unknown campaign", route: path.replace("{id}", unknownId), ...refused },
        { name: "does not know what is no id", route: path.replace("{id}", "june"), ...refused },
        {
          name: "does not know a campaign of another project",
          given: (it) => one.given(it),
          route: () => path.replace("{id}", one.id),
          key: () => otherKey,
          ...refused,
        },
      ]
    },
  }
  return one
}

/** Adds properties that are computed when they are read. */
function withLate<T extends object>(object: T, values: Record<string, Late<unknown>>): T {
  const told = Object.entries(values).filter(([, value]) => value !== undefined)
  const properties = told.map(([name, value]) => [name, { enumerable: true, get: () => settled(value) }])
  return Object.defineProperties(object, Object.fromEntries(properties))
}
