import { Button } from "@mantine/core"
import { IconPlayerPause } from "@tabler/icons-react"
import { useSession } from "../context/session.ts"
import { useResumeSending } from "../queries/backups.ts"
import { confirm } from "../ui/confirm.tsx"
import styles from "./connection.module.css"

/** Shows above every page that this server sends nothing, after a restore or during an update (contract B8.3.26). */
export function PausedNotice() {
  const { config, user } = useSession()
  const change = useResumeSending()
  if (!config.features.email.paused) return null
  const ask = () =>
    confirm({
      title: "Resume sending?",
      text: "After a restore, make sure that the server which the backup is of does not send any more: what waited when the backup was taken is sent now, even if that server has sent it since. After an interrupted update, complete that first, by mailstead update.",
      confirm: "Resume sending",
      cancel: "Not yet",
      onConfirm: () => void change.run(),
    })
  return (
    <div className={styles.lost} data-now role="status">
      <IconPlayerPause size={16} stroke={1.7} aria-hidden="true" />
      <span>
        This server was restored from a backup, or its update has not ended. It accepts mail and sends none until its
        owner resumes that.
      </span>
      {user.type === "OWNER" && (
        <Button size="compact-xs" variant="default" loading={change.isRunning} onClick={ask}>
          Resume sending
        </Button>
      )}
    </div>
  )
}
