import { Button, Skeleton } from "@mantine/core"
import { IconRefresh, IconTrash, IconUserPlus } from "@tabler/icons-react"
import { useState } from "react"
import { useSearchParams } from "wouter"
import type { Segment } from "../../../api/segments.ts"
import { useCommands } from "../../../context/commands.tsx"
import { useIsReadOnly } from "../../../context/session.ts"
import { pageIn } from "../../../list/list-view.ts"
import { PageFoot, pageCommands, stepsFrom } from "../../../list/paging.tsx"
import { memberPageSize, useMembers } from "../../../queries/segments.ts"
import { Notice } from "../../../ui/empty-state.tsx"
import { count } from "../../../ui/format.ts"
import { computes, type SegmentActions } from "../use-segment-actions.tsx"
import { openAddMembers } from "./add-members.tsx"
import { MemberTable } from "./member-table.tsx"
import styles from "./members.module.css"
import { useRemoval } from "./use-removal.tsx"

interface MembersProps {
  segment: Segment
  /** Whether the conditions have unsaved changes; the members are those of the saved ones. */
  isBehind?: boolean
  actions: SegmentActions
}

/** Who is in a segment now, page by page, which is in the URL. A list can be added to and taken from. */
export default function Members({ segment, isBehind = false, actions }: MembersProps) {
  const [params, setParams] = useSearchParams()
  const page = pageIn(params)
  const setPage = (to: number) => setParams({ ...Object.fromEntries(params), page: String(to) })
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [tickedOn, setTickedOn] = useState(page)
  if (tickedOn !== page) {
    setTickedOn(page)
    setTicked(new Set())
  }
  const query = useMembers(segment.id, page)
  const remove = useRemoval(segment, () => setTicked(new Set()))
  const members = query.data
  const isReadOnly = useIsReadOnly()
  const isList = segment.type === "STATIC"
  const steps = stepsFrom(page, members?.totalPages ?? 0, setPage)
  useCommands(pageCommands(steps))

  return (
    <section className={styles.members} aria-label="Members">
      <div className={styles.tools}>
        <span className={styles.total}>
          {members ? count(members.total, "member") : ""}
          {members && isBehind && " by the conditions as they are saved"}
        </span>
        {ticked.size > 0 && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconTrash size={15} stroke={1.7} />}
            onClick={() => remove([...ticked])}
          >
            Remove {ticked.size}
          </Button>
        )}
        {isList ? (
          <Button
            size="xs"
            leftSection={<IconUserPlus size={15} stroke={1.8} />}
            disabled={isReadOnly}
            onClick={() => openAddMembers(segment)}
          >
            Add people
          </Button>
        ) : (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconRefresh size={15} stroke={1.7} />}
            onClick={() => void actions.renew()}
          >
            {computes(segment) ? "Compute now" : "Count again"}
          </Button>
        )}
      </div>
      <div className={styles.scroll}>
        {query.isError && !members ? (
          <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
        ) : !members ? (
          <RowsSkeleton />
        ) : members.data.length > 0 ? (
          <MemberTable
            members={members.data}
            ticked={ticked}
            onTicked={isList ? setTicked : null}
            onRemove={isList ? (email) => remove([email]) : null}
          />
        ) : page > 1 ? (
          <Notice text="There is no such page." action="Back to the first" onAction={() => setPage(1)} />
        ) : (
          <Notice text={isList ? "Nobody is on this list yet." : "Nobody matches today."} />
        )}
      </div>
      {members && members.totalPages > 1 && (
        <PageFoot page={members.page} pageSize={memberPageSize} total={members.total} steps={steps} />
      )}
    </section>
  )
}

function RowsSkeleton() {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {[34, 28, 40, 31, 37].map((width) => (
        <Skeleton key={width} height={12} width={`${width}%`} radius="sm" />
      ))}
    </div>
  )
}
