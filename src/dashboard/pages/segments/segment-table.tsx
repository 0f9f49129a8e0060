import { ActionIcon, Menu } from "@mantine/core"
import { IconBolt, IconCopy, IconDots, IconRefresh, IconTrash } from "@tabler/icons-react"
import { Link } from "wouter"
import { dayTime } from "../../ui/format.ts"
import list from "../../ui/list-page.module.css"
import { SortHeader } from "../../ui/sort-header.tsx"
import table from "../../ui/table.module.css"
import { useNow, When } from "../../ui/when.tsx"
import type { Segment } from "./api.ts"
import { sayCondition } from "./condition/sentence.ts"
import type { SegmentView } from "./list-view.ts"
import styles from "./segments-page.module.css"
import { computes, useSegmentActions } from "./use-segment-actions.tsx"

interface SegmentTableProps {
  segments: readonly Segment[]
  nameOf(id: string): string | null
  view: SegmentView
  onView(part: Partial<SegmentView>): void
}

export function SegmentTable({ segments, nameOf, view, onView }: SegmentTableProps) {
  const now = useNow()
  const sorting = {
    sort: view.sort,
    dir: view.dir,
    onSort: (sort: SegmentView["sort"], dir: SegmentView["dir"]) => onView({ sort, dir }),
  }
  return (
    <table className={`${table.table} ${styles.table}`} aria-label="Segments">
      <thead>
        <tr>
          <SortHeader {...sorting} name="Name" by="name" first="asc" className={styles.name} />
          <th scope="col" className={styles.type}>
            Kind
          </th>
          <th scope="col" className={styles.tracked}>
            Tracked
          </th>
          <SortHeader {...sorting} name="Members" by="memberCount" first="desc" className={styles.members} />
          <SortHeader {...sorting} name="Changed" by="updatedAt" first="desc" className={styles.changed} />
          <th scope="col" aria-label="Actions" />
        </tr>
      </thead>
      <tbody>
        {segments.map((segment) => (
          <tr
            key={segment.id}
            data-clickable
            onClick={(event) => {
              const target = event.target instanceof Element ? event.target : null
              if (target?.closest("a, button, [role=menu]") || getSelection()?.toString()) return
              event.currentTarget.querySelector("a")?.click()
            }}
          >
            <td className={styles.name}>
              <Link href={`/segments/${segment.id}`} className={`${list.cut} ${list.title}`} data-segment={segment.id}>
                {segment.name}
              </Link>
              <span className={`${list.cut} ${list.note}`}>{about(segment, nameOf)}</span>
            </td>
            <td className={styles.type}>{segment.type === "STATIC" ? "List" : "Conditions"}</td>
            <td className={styles.tracked}>
              {segment.trackMembership && (
                <span className={styles.mark} title="Joining and leaving are events">
                  <IconBolt size={14} stroke={1.8} />
                  Tracked
                </span>
              )}
            </td>
            <td className={styles.members}>{segment.memberCount.toLocaleString("en")}</td>
            <td className={`${list.times} ${styles.changed}`}>
              <When at={segment.updatedAt} now={now} say={dayTime} />
            </td>
            <td className={list.action}>
              <RowMenu segment={segment} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The note of a segment, or else what it says by itself. */
const about = ({ description, condition }: Segment, nameOf: (id: string) => string | null): string =>
  description ?? (condition ? sayCondition(condition, nameOf) : "Whoever is put on it")

function RowMenu({ segment }: { segment: Segment }) {
  const { renew, duplicate, remove } = useSegmentActions(segment)
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${segment.name}`}>
          <IconDots size={17} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconRefresh size={16} stroke={1.6} />} onClick={() => void renew()}>
          {computes(segment) ? "Compute membership now" : "Count again"}
        </Menu.Item>
        {segment.type === "DYNAMIC" && (
          <Menu.Item leftSection={<IconCopy size={16} stroke={1.6} />} onClick={() => void duplicate()}>
            Duplicate
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={16} stroke={1.6} />} onClick={() => void remove()}>
          Delete…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
