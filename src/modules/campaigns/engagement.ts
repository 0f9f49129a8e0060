import { desc, eq } from "drizzle-orm"
import type { Engine } from "../../engine.ts"
import { hour as hourMs } from "../../kernel/clock.ts"
import type { Db } from "../../store/database.ts"
import { idParam } from "../../store/dialect.ts"
import { prepare } from "../../store/prepare.ts"
import { type Campaign, campaignHourTable, campaignLinkTable } from "./table.ts"

/** Opens and clicks of a campaign (contract B1.8.1). */
export interface Engagement {
  /** The most-clicked links, and whether there are more. */
  readonly links: readonly { readonly url: string; readonly clicks: number }[]
  readonly hasMoreLinks: boolean
  /** Each of the first 48 hours since sending started; none before that. */
  readonly hours: readonly { readonly startsAt: number; readonly opens: number; readonly clicks: number }[]
}

const mostLinks = 100
const hoursShown = 48

const byHour = prepare((db) =>
  db
    .select({ hour: campaignHourTable.hour, opens: campaignHourTable.opens, clicks: campaignHourTable.clicks })
    .from(campaignHourTable)
    .where(eq(campaignHourTable.campaignId, idParam("id"))),
)

const byClicks = prepare((db) =>
  db
    .select({ url: campaignLinkTable.url, clicks: campaignLinkTable.clicks })
    .from(campaignLinkTable)
    .where(eq(campaignLinkTable.campaignId, idParam("id")))
    .orderBy(desc(campaignLinkTable.clicks))
    .limit(mostLinks + 1),
)

interface EngagementDeps extends Pick<Engine, "store"> {
  readonly get: (projectId: string, id: string) => Promise<Campaign>
}

/** The hours with opens or clicks, in no order. */
export const listHours = (db: Db, id: string) => byHour(db, { id })

/** The most-clicked links, one more than are shown. */
export const listLinks = (db: Db, id: string) => byClicks(db, { id })

/** Reads 48 rows and 101 at most, whatever the size of the campaign. */
export const createEngagement =
  ({ store, get }: EngagementDeps) =>
  async (projectId: string, id: string): Promise<Engagement> => {
    const { sentAt } = await get(projectId, id)
    if (sentAt === null) return { links: [], hasMoreLinks: false, hours: [] }
    const links = await listLinks(store.read, id)
    const counted = new Map((await listHours(store.read, id)).map((row) => [row.hour, row]))
    return {
      links: links.slice(0, mostLinks),
      hasMoreLinks: links.length > mostLinks,
      hours: Array.from({ length: hoursShown }, (_, hour) => ({
        startsAt: sentAt + hour * hourMs,
        opens: counted.get(hour)?.opens ?? 0,
        clicks: counted.get(hour)?.clicks ?? 0,
      })),
    }
  }

export type ReadEngagement = ReturnType<typeof createEngagement>
