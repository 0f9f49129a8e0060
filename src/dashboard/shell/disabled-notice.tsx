import { IconPlayerPause } from "@tabler/icons-react"
import { useSession } from "../context/session.ts"
import styles from "./connection.module.css"

/** Shows above every page of a disabled project that nothing is sent and nothing can be changed (contract A1.5.4). */
export function DisabledNotice() {
  const { project } = useSession()
  if (!project.disabled) return null
  const reason =
    project.disabledReason === "EMAIL_REPUTATION"
      ? "too much of its mail bounced or was reported as spam"
      : "the owner of this server has switched it off"
  return (
    <p className={styles.lost} data-now role="status">
      <IconPlayerPause size={16} stroke={1.7} aria-hidden="true" />
      <span>
        {project.name} is disabled: {reason}. You can look at what is stored, but no mail leaves, nothing can be
        changed, and nothing is previewed or counted anew.
      </span>
    </p>
  )
}
