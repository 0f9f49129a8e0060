import { Button, Loader } from "@mantine/core"
import type { AudienceFields } from "../../../api/campaigns.ts"
import { reasonOf } from "../../../api/refusal.ts"
import { formatNobody, formatRecipients } from "../labels.ts"
import styles from "./composer.module.css"
import type { useRecipients } from "./use-recipients.ts"

interface RecipientsPaneProps {
  audience: AudienceFields
  state: ReturnType<typeof useRecipients>
  /** Why recipients cannot be counted yet; null when they can. */
  lacking: string | null
}

/** The number of contacts that would get the campaign now. */
export function RecipientsPane({ audience, state, lacking }: RecipientsPaneProps) {
  const { reach, error, isBehind, retry } = state
  return (
    <aside className={styles.total} aria-label="Recipients">
      <div className={styles.head}>
        <h2>Recipients now</h2>
        {isBehind && lacking === null && <Loader size={14} color="gray" aria-label="Counting" />}
      </div>
      {lacking !== null ? (
        <p className={styles.quiet}>{lacking}</p>
      ) : error ? (
        <div role="alert">
          <p className={styles.quiet}>{reasonOf(error)}</p>
          <Button variant="subtle" size="compact-sm" onClick={retry}>
            Try again
          </Button>
        </div>
      ) : reach ? (
        <div data-behind={isBehind || undefined}>
          <p className={styles.number} role="status">
            <strong>{reach.recipients.toLocaleString("en")}</strong>
            <span>{formatRecipients(reach.recipients, audience.type).replace(/^\S+ /, "")}</span>
          </p>
          {reach.recipients === 0 && (
            <p className={styles.quiet}>{formatNobody(audience.audienceType, reach.audienceSize)}</p>
          )}
        </div>
      ) : null}
      <p className={styles.quiet}>They are counted again when sending starts.</p>
    </aside>
  )
}
