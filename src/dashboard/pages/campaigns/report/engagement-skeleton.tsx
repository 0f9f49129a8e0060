import { Skeleton } from "@mantine/core"
import styles from "./engagement.module.css"

/** As high as the chart, so that the mails below are not in view before they have their place. */
export const EngagementSkeleton = () => <Skeleton className={styles.waiting ?? ""} />
