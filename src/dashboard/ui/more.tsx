import { Button } from "@mantine/core"
import { useIntersection } from "@mantine/hooks"
import { useEffect, useRef } from "react"
import styles from "./more.module.css"

export interface MoreProps {
  loading: boolean
  /** After a failure only a click tries again. */
  failed: boolean
  load(): void
}

/** Loads the next page of a list when it comes into view; the button is for users who do not scroll. */
export function More({ loading, failed, load, label }: MoreProps & { label: string }) {
  const { ref, entry } = useIntersection({ rootMargin: "600px" })
  const latest = useRef(load)
  useEffect(() => {
    latest.current = load
  })
  const near = entry?.isIntersecting === true
  useEffect(() => {
    if (near && !loading && !failed) latest.current()
  }, [near, loading, failed])
  return (
    <div ref={ref} className={styles.more}>
      <Button variant="subtle" color="gray" size="xs" loading={loading} onClick={load}>
        {failed ? "Try again" : label}
      </Button>
    </div>
  )
}
