import { Button, CloseButton, Progress } from "@mantine/core"
import { useDocumentVisibility } from "@mantine/hooks"
import { type ReactNode, useEffect, useRef } from "react"
import { useLocation } from "wouter"
import { ApiError } from "../../../api/http.ts"
import { useBulkJob, useImportJob } from "./follow.ts"
import { type StartedJob, useJobs } from "./jobs.tsx"
import { formatBulk, formatImport } from "./labels.ts"
import styles from "./tray.module.css"

const shownWhenDone = 8000

/** The jobs under way, below every page until they are over and seen. */
export default function JobTray() {
  const { started, dialog } = useJobs()
  const elsewhere = dialog.state === "showing" ? dialog.job.id : null
  return (
    <div className={styles.tray} role="status" aria-label="Jobs">
      {started
        .filter(({ id }) => id !== elsewhere)
        .map((job) =>
          job.kind === "bulk" ? <BulkEntry key={job.id} id={job.id} /> : <ImportEntry key={job.id} job={job} />,
        )}
    </div>
  )
}

function BulkEntry({ id }: { id: string }) {
  const { query, over } = useBulkJob(id)
  const job = query.data
  const isPerfect = job?.status === "completed" && job.failed === 0
  useGone(id, query.error)
  useDismissal(id, over && isPerfect)
  if (!job) return null
  const labels = formatBulk(job)
  return <Entry id={id} {...labels} progress={over ? null : job.progress} />
}

function ImportEntry({ job }: { job: StartedJob & { kind: "import" } }) {
  const { openImport } = useJobs()
  const { query, over } = useImportJob(job.id)
  useGone(job.id, query.error)
  if (!query.data) return null
  return (
    <Entry id={job.id} {...formatImport(query.data, job.fileName)} progress={over ? null : query.data.progress}>
      <Button variant="subtle" size="compact-xs" onClick={() => openImport(job)}>
        Details
      </Button>
    </Entry>
  )
}

interface EntryProps {
  id: string
  title: string
  text: string
  /** 0 to 100; null once it has ended. */
  progress: number | null
  children?: ReactNode
}

function Entry({ id, title, text, progress, children }: EntryProps) {
  const { dismiss } = useJobs()
  return (
    <div className={styles.job} data-job={id}>
      <div className={styles.labels}>
        <p className={styles.title}>{title}</p>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      {progress !== null && <Progress className={styles.bar ?? ""} value={progress} size={5} aria-label={title} />}
      {children}
      {progress === null && <CloseButton size="sm" aria-label="Dismiss" onClick={() => dismiss(id)} />}
    </div>
  )
}

/** Dismisses a job that the server no longer knows. */
function useGone(id: string, error: Error | null) {
  const { dismiss } = useJobs()
  const gone = error instanceof ApiError && error.status === 404
  useEffect(() => {
    if (gone) dismiss(id)
  }, [gone, id, dismiss])
}

/** A successful job is dismissed once it was seen: after a while, or on navigation to another page. */
function useDismissal(id: string, ready: boolean) {
  const { dismiss } = useJobs()
  const [location] = useLocation()
  const visibility = useDocumentVisibility()
  const isSeen = ready && visibility === "visible"
  const latest = useRef(dismiss)
  useEffect(() => {
    latest.current = dismiss
  })
  const seenAt = useRef<string>(undefined)
  useEffect(() => {
    if (!isSeen) return
    seenAt.current ??= location
    if (seenAt.current !== location) return latest.current(id)
    const timer = setTimeout(() => latest.current(id), shownWhenDone)
    return () => clearTimeout(timer)
  }, [isSeen, id, location])
}
