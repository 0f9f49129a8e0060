import { Button, Progress, Skeleton } from "@mantine/core"
import { useLocation } from "wouter"
import type { ImportJob } from "../../../api/contacts.ts"
import { Notice } from "../../../ui/empty-state.tsx"
import { count } from "../../../ui/format.ts"
import { ScrollRegion } from "../../../ui/scroll-region.tsx"
import { isOver, useImportJob, useLeaveImport } from "../jobs/follow.ts"
import { type StartedImport, useJobs } from "../jobs/jobs.tsx"
import { formatImport, formatReason } from "../jobs/labels.ts"
import styles from "./import.module.css"
import { useFocusWhenLost } from "./lost-focus.ts"
import { download, inFile, writeSkipped } from "./skipped.ts"

/** The progress of an import, and then its result. */
export function ImportProgress({ started: { id, fileName, leftOut } }: { started: StartedImport }) {
  const { dismiss, openImport } = useJobs()
  const leave = useLeaveImport()
  const [, go] = useLocation()
  const content = useFocusWhenLost()
  const { query } = useImportJob(id)
  const job = query.data
  if (!job) {
    return query.isError ? <Notice failed text={query.error.message} /> : <Skeleton height={120} radius="md" />
  }
  const { title, text } = formatImport(job, fileName)
  const over = isOver(job.status)
  const hasNews = job.imported + job.updated > 0
  return (
    <div ref={content}>
      <h3 className={styles.title}>{title}</h3>
      <p className={styles.text} role="status">
        {job.status === "completed" ? formatEnd(job) : text}
      </p>
      {!over && <Progress value={job.progress} size={8} radius="xl" aria-label={title} />}
      {job.status !== "failed" && <Counts job={job} />}
      {job.errors.length > 0 && (
        <Errors errors={inFile(job.errors, leftOut)} skipped={job.skipped} fileName={fileName} />
      )}
      <div className={styles.actions}>
        {!over && (
          <Button variant="default" data-autofocus onClick={leave}>
            Continue in the background
          </Button>
        )}
        {job.status === "failed" && (
          <Button
            data-autofocus
            onClick={() => {
              dismiss(id)
              openImport()
            }}
          >
            Choose another file
          </Button>
        )}
        {job.status === "completed" && (
          <>
            <Button variant="default" data-autofocus={!hasNews || undefined} onClick={leave}>
              Close
            </Button>
            {hasNews && (
              <Button
                data-autofocus
                onClick={() => {
                  leave()
                  go("/contacts")
                }}
              >
                {job.imported > 0 ? "Show the new contacts" : "Show the contacts"}
              </Button>
            )}
          </>
        )}
      </div>
    </div>
  )
}

function formatEnd({ totalRows, skipped }: ImportJob): string {
  if (totalRows === 0) return "The file has no rows below the names of its columns."
  return skipped === 0 ? "Every row was taken." : `${count(skipped, "row")} could not be taken: see below why.`
}

function Counts({ job }: { job: ImportJob }) {
  const counts = [
    ["Rows", job.totalRows],
    ["New", job.imported],
    ["Updated", job.updated],
    ["Skipped", job.skipped],
  ] as const
  return (
    <dl className={styles.counts}>
      {counts.map(([name, number]) => (
        <div key={name} className={styles.count} data-bad={(name === "Skipped" && number > 0) || undefined}>
          <dt>{name}</dt>
          <dd>{number.toLocaleString("en")}</dd>
        </div>
      ))}
    </dl>
  )
}

const shownErrors = 6

function Errors({ errors, skipped, fileName }: Pick<ImportJob, "errors" | "skipped"> & { fileName: string }) {
  const others = skipped - Math.min(shownErrors, errors.length)
  return (
    <>
      <ScrollRegion className={styles.errors} label="Skipped rows">
        <table>
          <thead>
            <tr>
              <th scope="col">Row</th>
              <th scope="col">Address</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {errors.slice(0, shownErrors).map(({ row, email, reason }) => (
              <tr key={row}>
                <td>{row}</td>
                <td>{email || "(empty)"}</td>
                <td>{formatReason(reason)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <div className={styles.more}>
        {others > 0 && <span>and {others.toLocaleString("en")} more</span>}
        <Button
          variant="subtle"
          size="compact-xs"
          onClick={() => download(`skipped in ${fileName}`, writeSkipped(errors))}
        >
          {errors.length < skipped
            ? `Download the first ${errors.length.toLocaleString("en")} as CSV`
            : "Download them as CSV"}
        </Button>
      </div>
    </>
  )
}
