import { Skeleton } from "@mantine/core"
import type { Campaign } from "../../../api/campaigns.ts"
import styles from "./engagement.module.css"

/** As high as the chart and the mail below it, so that the mails are not in view before they have their place. */
export const EngagementSkeleton = ({ campaign: { sentAt } }: { campaign: Campaign }) =>
  sentAt && (
    <>
      <Skeleton className={styles.waiting ?? ""} />
      <Skeleton className={styles.waitingMail ?? ""} />
    </>
  )
