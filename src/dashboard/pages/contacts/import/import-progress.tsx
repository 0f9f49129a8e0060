import { Button, Progress, Skeleton } from "@mantine/core"
import { useLocation } from "wouter"
import { Notice } from "../../../ui/empty-state.tsx"
import { count } from "../../../ui/format.ts"
import { ScrollRegion } from "../../../ui/scroll-region.tsx"
import type { ImportJob } from "../api.ts"
import { isOver, useImportJob } from "../jobs/follow.ts"
import { useJobs } from "../jobs/jobs.tsx"
import { sayImport, sayReason } from "../jobs/words.ts"
import styles from "./import.module.css"

/** An import on its way, and then what came of it. */
export function ImportProgress({ id, fileName }: { id: string; fileName: string }) {
  const { closeImport, dismiss, openImport } = useJobs()
  const [, go] = useLocation()
  const { query } = useImportJob(id)
  const job = query.data
  if (!job) {
    return query.isError ? <Notice failed text={query.error.message} /> : <Skeleton height={120} radius="md" />
  }
  const { title, text } = sayImport(job, fileName)
  const over = isOver(job.status)
  const leave = () => {
    dismiss(id)
    closeImport()
  }
  return (
    <div>
      <h3 className={styles.title}>{title}</h3>
      <p className={styles.text} role="status">
        {job.status === "completed" ? sayEnd(job) : text}
      </p>
      {!over && <Progress value={job.progress} size={8} radius="xl" aria-label={title} />}
      {job.status !== "failed" && <Counts job={job} />}
      {job.errors.length > 0 && <Errors job={job} />}
      <div className={styles.actions}>
        {!over && (
          <Button variant="default" onClick={closeImport}>
            Go on without me
          </Button>
        )}
        {job.status === "failed" && (
          <Button
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
            <Button variant="default" onClick={leave}>
              Close
            </Button>
            {job.imported + job.updated > 0 && (
              <Button
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

const sayEnd = ({ skipped }: ImportJob): string =>
  skipped === 0 ? "Every row was taken." : `${count(skipped, "row")} could not be taken: see below why.`

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

function Errors({ job }: { job: ImportJob }) {
  return (
    <ScrollRegion className={styles.errors} label="Skipped rows">
      <table>
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Address</th>
            <th scope="col">
              Reason
              {job.skipped > job.errors.length && ` (the first ${job.errors.length.toLocaleString("en")})`}
            </th>
          </tr>
        </thead>
        <tbody>
          {job.errors.map(({ row, email, reason }) => (
            <tr key={row}>
              <td>{row}</td>
              <td>{email || "(empty)"}</td>
              <td>{sayReason(reason)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
