import { ActionIcon } from "@mantine/core"
import { IconChevronRight, IconPaperclip, IconSpeakerphone } from "@tabler/icons-react"
import { memo, useState } from "react"
import { Link } from "wouter"
import type { InboxRow } from "../../api/inbox.ts"
import { count, rowTime } from "../../ui/format.ts"
import type { RowProps } from "../../ui/rows-in-view.tsx"
import { Status } from "../../ui/status.tsx"
import { When } from "../../ui/when.tsx"
import { CampaignMails } from "./campaign-mails.tsx"
import styles from "./mail-list.module.css"

interface MailRowProps {
  row: RowProps
  /** The height of the rows that are left out before it, in px. */
  gap: number
  email: InboxRow
  openId: string | undefined
  /** The query string of the URL. */
  rowQuery: string
  now: number
  /** The row that Tab reaches; the others are reached from it by the arrow keys. */
  reachable: boolean
  onFocus(id: string): void
}

/** Moves the focus to a mail of the list, which scrolls it into view. */
export function focusRow(id: string): void {
  document.querySelector<HTMLElement>(`[data-mail="${CSS.escape(id)}"]`)?.focus()
}

/** One row of the list: sender, subject, snippet and recipient. A campaign unfolds into its mails. */
export const MailRow = memo(function MailRow({
  row,
  gap,
  email,
  openId,
  rowQuery,
  now,
  reachable,
  onFocus,
}: MailRowProps) {
  const { campaign, unread, attachmentCount, snippet } = email
  const [isUnfolded, setUnfolded] = useState(false)
  return (
    <li {...row} className={styles.item} style={gap > 0 ? { marginTop: gap } : undefined}>
      <Link
        href={`/inbox/${email.id}${rowQuery}`}
        className={styles.row ?? ""}
        data-mail={email.id}
        data-unread={unread || undefined}
        aria-current={email.id === openId || undefined}
        tabIndex={reachable ? 0 : -1}
        onFocus={() => onFocus(email.id)}
      >
        <span className={styles.top}>
          {unread && <span className={styles.dot} role="img" aria-label="Unread" />}
          <span className={styles.from} dir="auto">
            {email.fromName || email.from || "(no sender)"}
          </span>
          <When className={styles.time} at={email.createdAt} now={now} format={rowTime} />
        </span>
        <span className={styles.top}>
          <span className={styles.subject} dir="auto">
            {email.subject || "(no subject)"}
          </span>
          {attachmentCount > 0 && (
            <span className={styles.clip} role="img" aria-label={count(attachmentCount, "attachment")}>
              <IconPaperclip size={14} stroke={1.7} />
            </span>
          )}
        </span>
        {snippet && (
          <span className={styles.snippet} dir="auto">
            {snippet}
          </span>
        )}
        {campaign ? (
          <span className={styles.bottom} data-campaign>
            <IconSpeakerphone size={13} stroke={1.7} />
            <span className={styles.campaign}>
              <span className={styles.to} dir="auto">
                {campaign.name}
              </span>
              <span className={styles.mailCount}>, {count(campaign.mails, "mail")}</span>
            </span>
          </span>
        ) : (
          <span className={styles.bottom}>
            <span className={styles.to}>
              <span className={styles.toWord}>to </span>
              {email.to}
              {email.recipients.length > 1 && ` and ${count(email.recipients.length - 1, "other")}`}
            </span>
            <Status status={email.status} />
          </span>
        )}
      </Link>
      {campaign && (
        <ActionIcon
          className={styles.unfold ?? ""}
          variant="subtle"
          color="gray"
          size={28}
          aria-label={`Mails of ${campaign.name}`}
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          <IconChevronRight size={15} stroke={1.8} />
        </ActionIcon>
      )}
      {campaign && isUnfolded && <CampaignMails campaign={campaign} openId={openId} rowQuery={rowQuery} />}
    </li>
  )
})
