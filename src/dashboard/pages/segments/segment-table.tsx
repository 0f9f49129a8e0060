import { Menu } from "@mantine/core"
import { IconAlertTriangle, IconBolt, IconCopy, IconRefresh, IconTrash } from "@tabler/icons-react"
import type { Segment } from "../../api/segments.ts"
import { LinkRow, RowTitle } from "../../list/link-row.tsx"
import list from "../../list/list-page.module.css"
import { RowMenu } from "../../list/row-menu.tsx"
import { focusBeside } from "../../list/rows.ts"
import { type Order, SortHeader } from "../../list/sort-header.tsx"
import { TableRows } from "../../list/table-rows.tsx"
import { formatCondition } from "../../parts/condition/model/sentence.ts"
import { ActionsHeader } from "../../ui/actions-header.tsx"
import { dayTime } from "../../ui/format.ts"
import { MenuEntry } from "../../ui/menu-entry.tsx"
import table from "../../ui/table.module.css"
import { useNow, When } from "../../ui/when.tsx"
import type { SegmentSort } from "./in-view.ts"
import styles from "./segments-page.module.css"
import { computes, useSegmentActions } from "./use-segment-actions.tsx"

const pathOf = ({ id }: Segment): string => `/segments/${id}`

interface SegmentTableProps {
  segments: readonly Segment[]
  nameOf(id: string): string | null
  view: Order<SegmentSort>
  onView(order: Order<SegmentSort>): void
}

export function SegmentTable({ segments, nameOf, view, onView }: SegmentTableProps) {
  const now = useNow()
  const sorting = { view, onView }
  return (
    <table className={`${table.table} ${styles.table}`} aria-label="Segments" aria-rowcount={segments.length + 1}>
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
          <ActionsHeader />
        </tr>
      </thead>
      <TableRows
        ids={segments.map(({ id }) => id)}
        height={58}
        row={(index, row) => {
          const segment = segments[index]
          return (
            segment && (
              <LinkRow key={segment.id} {...row}>
                <td className={styles.name}>
                  <RowTitle href={pathOf(segment)} name={segment.name} note={about(segment, nameOf)} />
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
                <td className={styles.members}>
                  {segment.computeError && (
                    <span
                      className={styles.old}
                      role="img"
                      aria-label="The last count was ended early"
                      title={segment.computeError}
                    >
                      <IconAlertTriangle size={14} stroke={1.8} />
                    </span>
                  )}
                  {segment.memberCount.toLocaleString("en")}
                </td>
                <td className={`${list.times} ${styles.changed}`}>
                  <When at={segment.updatedAt} now={now} format={dayTime} />
                </td>
                <td className={list.action}>
                  <Actions segment={segment} />
                </td>
              </LinkRow>
            )
          )
        }}
      />
    </table>
  )
}

/** Why its members could not be counted, the note of a segment, or else its condition in words. */
const about = ({ computeError, description, condition }: Segment, nameOf: (id: string) => string | null): string =>
  computeError ?? description ?? (condition ? formatCondition(condition, nameOf) : "Whoever is put on it")

function Actions({ segment }: { segment: Segment }) {
  const { renew, duplicate, remove } = useSegmentActions(segment, () => focusBeside(pathOf(segment)))
  return (
    <RowMenu of={segment.name} width={230}>
      <MenuEntry icon={IconRefresh} run={() => void renew()}>
        {computes(segment) ? "Compute membership now" : "Count again"}
      </MenuEntry>
      {segment.type === "DYNAMIC" && (
        <MenuEntry icon={IconCopy} run={duplicate}>
          Duplicate
        </MenuEntry>
      )}
      <Menu.Divider />
      <MenuEntry icon={IconTrash} run={() => void remove()} danger>
        Delete…
      </MenuEntry>
    </RowMenu>
  )
}
