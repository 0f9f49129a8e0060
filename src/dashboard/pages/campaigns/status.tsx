import type { CampaignStatus } from "../../api/campaigns.ts"
import styles from "../../ui/status.module.css"
import { statusNames } from "./labels.ts"

const tones: Readonly<Record<CampaignStatus, string>> = {
  DRAFT: "quiet",
  SCHEDULED: "engaged",
  SENDING: "moving",
  SENT: "good",
  CANCELLED: "warning",
}

export function CampaignStatusMark({ status, pill = false }: { status: CampaignStatus; pill?: boolean }) {
  return (
    <span className={styles.status} data-tone={tones[status]} data-pill={pill || undefined}>
      {statusNames[status]}
    </span>
  )
}
