import { Skeleton, UnstyledButton } from "@mantine/core"
import { IconChevronRight, IconTrash } from "@tabler/icons-react"
import { Fragment, type ReactNode } from "react"
import { Link } from "wouter"
import type { EventUsage } from "../../api/events.ts"
import type { TableRowProps } from "../../list/table-rows.tsx"
import { kindOf, looks } from "../../parts/events/kinds.ts"
import { useUsage } from "../../queries/events.ts"
import { Tool } from "../../ui/tool.tsx"
import styles from "./names-page.module.css"
import { eventsPath } from "./nav-items.ts"
import { Trend } from "./trend.tsx"
import { useEventDeletion } from "./use-event-deletion.tsx"

interface NameEntryProps {
  row: TableRowProps
  name: string
  count: number
  /** Its counts on the last days; empty when there were none, undefined until they are known, null if they cannot be. */
  days: readonly number[] | null | undefined
  open: boolean
  onToggle(): void
}

/** One name; opened, it shows the latest events and what refers to the name. */
export function NameEntry({ row, name, count, days, open, onToggle }: NameEntryProps) {
  const remove = useEventDeletion()
  const kind = kindOf(name)
  const { icon: Icon } = looks[kind]
  return (
    <>
      <tr {...row} data-open={open || undefined}>
        <td className={styles.name}>
          <UnstyledButton
            className={styles.toggle ?? ""}
            data-toggle
            aria-expanded={open}
            title={name}
            onClick={onToggle}
          >
            <IconChevronRight className={styles.chevron ?? ""} size={15} stroke={1.8} />
            <Icon className={styles.kind ?? ""} data-kind={kind} size={15} stroke={1.8} aria-hidden="true" />
            <span className={styles.label} dir="auto">
              {name}
            </span>
          </UnstyledButton>
        </td>
        <td className={styles.trendCell}>
          {days === undefined ? <Skeleton height={18} width={140} /> : <Trend days={days} />}
        </td>
        <td className={styles.number}>{count.toLocaleString("en")}</td>
        <td className={styles.action}>
          {kind === "own" && <Tool label={`Delete ${name}`} icon={IconTrash} size="md" run={() => void remove(name)} />}
        </td>
      </tr>
      {open && (
        <tr>
          <td colSpan={4} className={styles.details}>
            <Details name={name} isOwn={kind === "own"} />
          </td>
        </tr>
      )}
    </>
  )
}

function Details({ name, isOwn }: { name: string; isOwn: boolean }) {
  const { data: usage, error } = useUsage(name)
  const said = (text: ReactNode | undefined) =>
    text !== undefined ? text : error ? error.message : <Skeleton height={14} width={160} />
  return (
    <dl className={styles.detail}>
      <dt>Contacts</dt>
      <dd>{said(usage && `${usage.uniqueContacts.toLocaleString("en")} had one`)}</dd>
      <dt>Used by</dt>
      <dd>{said(usage && <Users usage={usage} />)}</dd>
      <dt>Recorded by</dt>
      <dd>{isOwn ? "You, with the tracking API" : "The service; such events cannot be deleted by name"}</dd>
      <dt aria-hidden="true" />
      <dd>
        <Link href={eventsPath(name)}>Show these events</Link>
      </dd>
    </dl>
  )
}

/** What refers to an event name, with links to the segments. */
function Users({ usage: { usedInSegments, usedInWorkflows } }: { usage: EventUsage }) {
  const users = [
    ...usedInSegments.map(({ id, name }) => ({
      id,
      said: (
        <>
          segment <Link href={`/segments/${id}`}>{name}</Link>
        </>
      ),
    })),
    ...usedInWorkflows.map(({ id, name }) => ({ id, said: `workflow ${name}` })),
  ]
  if (users.length === 0) return "No segment or workflow"
  return users.map(({ id, said }, at) => (
    <Fragment key={id}>
      {at > 0 && ", "}
      {said}
    </Fragment>
  ))
}
