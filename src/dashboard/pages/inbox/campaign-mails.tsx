import { useQuery } from "@tanstack/react-query"
import { Link } from "wouter"
import { listEmails } from "../../api/emails.ts"
import type { InboxRow } from "../../api/inbox.ts"
import { useSession } from "../../context/session.ts"
import { Status } from "../../ui/status.tsx"
import styles from "./mail-list.module.css"

interface CampaignMailsProps {
  campaign: NonNullable<InboxRow["campaign"]>
  openId: string | undefined
  rowQuery: string
}

const shown = 20

/** The newest mails of a campaign, below its row; all of them are in its report. */
export function CampaignMails({ campaign: { id, name, mails }, openId, rowQuery }: CampaignMailsProps) {
  const projectId = useSession().project.id
  const { data, error } = useQuery({
    queryKey: ["campaign-mails", projectId, id, mails],
    queryFn: ({ signal }) => listEmails(projectId, { limit: shown, campaignId: id }, signal),
  })
  if (error) return <p className={styles.mailsNote}>{error.message}</p>
  return (
    <ul className={styles.mails} aria-label={`Mails of ${name}`}>
      {data?.data.map((email) => (
        <li key={email.id}>
          <Link
            href={`/inbox/${email.id}${rowQuery}`}
            className={styles.mail ?? ""}
            aria-current={email.id === openId || undefined}
          >
            <span className={styles.to}>{email.to}</span>
            <Status status={email.status} />
          </Link>
        </li>
      ))}
      <li>
        <Link href={`/campaigns/${id}`} className={styles.mail ?? ""}>
          {data?.hasMore ? `All ${mails.toLocaleString("en")} in the report` : "Open the report"}
        </Link>
      </li>
    </ul>
  )
}
