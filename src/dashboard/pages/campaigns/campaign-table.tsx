import { Link } from "wouter"
import { dayTime } from "../../ui/format.ts"
import list from "../../ui/list-page.module.css"
import { SortHeader } from "../../ui/sort-header.tsx"
import table from "../../ui/table.module.css"
import { useNow, When } from "../../ui/when.tsx"
import type { Campaign, CampaignQuery } from "./api.ts"
import styles from "./campaigns-page.module.css"
import { CampaignStatusMark } from "./status.tsx"
import { percent, sayAudience, shareOf } from "./words.ts"

interface CampaignTableProps {
  campaigns: readonly Campaign[]
  view: CampaignQuery
  onView(part: Partial<CampaignQuery>): void
}

export function CampaignTable({ campaigns, view, onView }: CampaignTableProps) {
  const now = useNow()
  const sorting = {
    sort: view.sort,
    dir: view.dir,
    onSort: (sort: CampaignQuery["sort"], dir: CampaignQuery["dir"]) => onView({ sort, dir }),
  }
  return (
    <table className={`${table.table} ${styles.table}`} aria-label="Campaigns">
      <thead>
        <tr>
          <SortHeader {...sorting} name="Name" by="name" first="asc" className={styles.name} />
          <th scope="col">Status</th>
          <th scope="col" className={styles.audience}>
            Audience
          </th>
          <th scope="col" className={styles.figure}>
            Sent
          </th>
          <th scope="col" className={styles.figure}>
            Opened
          </th>
          <th scope="col" className={styles.figure}>
            Clicked
          </th>
          <SortHeader {...sorting} name="Created" by="createdAt" first="desc" className={styles.when} />
        </tr>
      </thead>
      <tbody>
        {campaigns.map((campaign) => (
          <tr
            key={campaign.id}
            data-clickable
            onClick={(event) => {
              const target = event.target instanceof Element ? event.target : null
              if (target?.closest("a, button") || getSelection()?.toString()) return
              event.currentTarget.querySelector("a")?.click()
            }}
          >
            <td className={styles.name}>
              <Link
                href={`/campaigns/${campaign.id}`}
                className={`${list.cut} ${list.title}`}
                data-template={campaign.id}
              >
                {campaign.name}
              </Link>
              <span className={`${list.cut} ${list.note}`}>{campaign.subject}</span>
            </td>
            <td>
              <CampaignStatusMark status={campaign.status} />
              {campaign.status === "SENDING" && <Progress campaign={campaign} />}
              {campaign.status === "SCHEDULED" && campaign.scheduledFor && (
                <When className={list.note} at={campaign.scheduledFor} now={now} say={sayWhen} />
              )}
            </td>
            <td className={styles.audience}>
              <span className={list.cut}>{sayAudience(campaign)}</span>
            </td>
            <td className={styles.figure}>{campaign.sentCount > 0 ? campaign.sentCount.toLocaleString("en") : ""}</td>
            <td className={styles.figure}>{rate(campaign.openedCount, campaign)}</td>
            <td className={styles.figure}>{rate(campaign.clickedCount, campaign)}</td>
            <td className={`${list.times} ${styles.when}`}>
              <When at={campaign.createdAt} now={now} say={dayTime} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const upcoming = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
})
const sayWhen = (at: number): string => upcoming.format(at)

const rate = (part: number, { sentCount }: Campaign): string =>
  sentCount > 0 ? percent(Math.round(shareOf(part, sentCount) * 1_000) / 10) : ""

function Progress({ campaign: { totalRecipients, sentCount, failedCount, cancelledCount } }: { campaign: Campaign }) {
  const done = shareOf(sentCount + failedCount + cancelledCount, totalRecipients)
  return (
    <span className={styles.progress} aria-hidden="true">
      <span style={{ width: `${done * 100}%` }} />
    </span>
  )
}
