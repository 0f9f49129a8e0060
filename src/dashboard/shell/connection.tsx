import { IconPlugConnectedX } from "@tabler/icons-react"
import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { useLiveFeed } from "../parts/mail-feed/live-feed.tsx"
import { notLoaded } from "../ui/not-loaded.ts"
import styles from "./connection.module.css"

/** Shows above the page that the server cannot be reached, and repeats failed queries once it can. */
export function Connection() {
  const { state } = useLiveFeed()
  const client = useQueryClient()
  useEffect(() => {
    if (state !== "live") return
    notLoaded.tryAgain()
    void client.refetchQueries({ type: "active", predicate: (query) => query.state.status === "error" })
  }, [state, client])
  if (state !== "lost") return null
  return (
    <p className={styles.lost} role="status">
      <IconPlugConnectedX size={16} stroke={1.7} aria-hidden="true" />
      <span>Not connected to the server. This page goes on by itself when it answers again.</span>
    </p>
  )
}
