import { Button } from "@mantine/core"
import { IconRefresh } from "@tabler/icons-react"
import { useSyncExternalStore } from "react"
import { useSession } from "../context/session.ts"
import { notLoaded } from "../ui/not-loaded.ts"
import styles from "./connection.module.css"

/** The version of the server when this page was loaded; a change to another project does not load it again. */
let loaded: string | undefined

/** Shows above the page that it is that of another version of the server, or that a part of it could not be loaded. */
export function Outdated() {
  const { config } = useSession()
  loaded ??= config.version
  const isTold = useSyncExternalStore(notLoaded.subscribe, notLoaded.isTold)
  const isOld = config.version !== loaded
  if (!isOld && !isTold) return null
  return (
    <p className={styles.lost} data-now role="alert">
      <IconRefresh size={16} stroke={1.7} aria-hidden="true" />
      <span>
        {isOld
          ? "The server was updated."
          : "A part of this page was not loaded: the server does not answer, or was updated."}{" "}
        Save what you have typed, then reload the page.
      </span>
      <Button size="compact-xs" variant="default" onClick={() => location.reload()}>
        Reload
      </Button>
    </p>
  )
}
