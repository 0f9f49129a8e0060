import styles from "../../ui/status.module.css"
import type { CampaignStatus } from "./api.ts"
import { statusNames } from "./words.ts"

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
