import type { Campaign, CampaignSort } from "../../api/campaigns.ts"
import { LinkRow, RowTitle } from "../../list/link-row.tsx"
import list from "../../list/list-page.module.css"
import { type Order, SortHeader } from "../../list/sort-header.tsx"
import { dayAndTime, dayTime } from "../../ui/format.ts"
import table from "../../ui/table.module.css"
import { useNow, When } from "../../ui/when.tsx"
import styles from "./campaigns-page.module.css"
import { formatAudience, percent, shareOf } from "./labels.ts"
import { CampaignStatusMark } from "./status.tsx"

interface CampaignTableProps {
  campaigns: readonly Campaign[]
  view: Order<CampaignSort>
  onView(order: Order<CampaignSort>): void
}

export function CampaignTable({ campaigns, view, onView }: CampaignTableProps) {
  const now = useNow()
  const sorting = { view, onView }
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
          <LinkRow key={campaign.id}>
            <td className={styles.name}>
              <RowTitle href={`/campaigns/${campaign.id}`} name={campaign.name} note={campaign.subject} />
            </td>
            <td>
              <CampaignStatusMark status={campaign.status} />
              {campaign.status === "SENDING" && <Progress campaign={campaign} />}
              {campaign.status === "SCHEDULED" && campaign.scheduledFor && (
                <When
                  className={`${list.note} ${styles.due}`}
                  at={campaign.scheduledFor}
                  now={now}
                  format={dayAndTime}
                />
              )}
            </td>
            <td className={styles.audience}>
              <span className={list.cut}>{formatAudience(campaign)}</span>
            </td>
            <td className={styles.figure}>{hasBegun(campaign) ? campaign.sentCount.toLocaleString("en") : ""}</td>
            <td className={styles.figure}>{rate(campaign.openedCount, campaign)}</td>
            <td className={styles.figure}>{rate(campaign.clickedCount, campaign)}</td>
            <td className={`${list.times} ${styles.when}`}>
              <When at={campaign.createdAt} now={now} format={dayTime} />
            </td>
          </LinkRow>
        ))}
      </tbody>
    </table>
  )
}

/** Whether there is a number of sent mails to show, be it 0. */
const hasBegun = ({ sentAt }: Campaign): boolean => sentAt !== null

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
