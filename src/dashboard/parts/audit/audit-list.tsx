import type { AuditEntry } from "../../api/projects.ts"
import { useAudit } from "../../queries/projects.ts"
import { Notice } from "../../ui/empty-state.tsx"
import { dayTime } from "../../ui/format.ts"
import { More } from "../../ui/more.tsx"
import { useNow, When } from "../../ui/when.tsx"
import styles from "./audit-list.module.css"
import { sentenceOf } from "./sentences.ts"

interface AuditListProps {
  /** Null for the whole instance. */
  projectId: string | null
  /** The names of projects, if entries are of several. */
  names?: ReadonlyMap<string, string>
}

/** The audit log, newest first. */
export function AuditList({ projectId, names }: AuditListProps) {
  const { query, rows: entries } = useAudit(projectId)
  const now = useNow()
  if (query.isError && entries.length === 0)
    return <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
  if (query.isPending) return null
  if (entries.length === 0) return <Notice text="Nothing has been written down yet." />
  return (
    <>
      <ol className={styles.list} aria-label="Audit">
        {entries.map((entry) => (
          <li key={entry.id} className={styles.entry}>
            <span className={styles.what}>{sentenceOf(entry)}</span>
            <span className={styles.who}>
              {whoOf(entry)}
              {names && entry.projectId !== null && ` · ${names.get(entry.projectId) ?? "a deleted project"}`}
            </span>
            <When at={entry.createdAt} format={dayTime} now={now} className={styles.when} />
          </li>
        ))}
      </ol>
      {query.hasNextPage && (
        <More
          label="Older entries"
          loading={query.isFetchingNextPage}
          failed={query.isFetchNextPageError}
          load={() => void query.fetchNextPage()}
        />
      )}
    </>
  )
}

const whoOf = ({ actor, address }: AuditEntry): string => (address === null ? actor : `${actor}, from ${address}`)
