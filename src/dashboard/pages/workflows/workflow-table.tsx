import { Menu } from "@mantine/core"
import { IconCopy, IconListDetails, IconPlayerPause, IconPlayerPlay, IconTrash } from "@tabler/icons-react"
import { useLocation } from "wouter"
import type { ListedWorkflow, WorkflowSort } from "../../api/workflows.ts"
import { LinkRow, RowTitle } from "../../list/link-row.tsx"
import list from "../../list/list-page.module.css"
import { RowMenu } from "../../list/row-menu.tsx"
import { focusBeside } from "../../list/rows.ts"
import { type Order, SortHeader } from "../../list/sort-header.tsx"
import { ActionsHeader } from "../../ui/actions-header.tsx"
import { dayTime } from "../../ui/format.ts"
import { MenuEntry } from "../../ui/menu-entry.tsx"
import status from "../../ui/status.module.css"
import table from "../../ui/table.module.css"
import { useNow, When } from "../../ui/when.tsx"
import { useWorkflowActions } from "./use-workflow-actions.tsx"
import styles from "./workflows-page.module.css"

interface WorkflowTableProps {
  workflows: readonly ListedWorkflow[]
  view: Order<WorkflowSort>
  onView(order: Order<WorkflowSort>): void
}

export function WorkflowTable({ workflows, view, onView }: WorkflowTableProps) {
  const now = useNow()
  const sorting = { view, onView }
  return (
    <table className={`${table.table} ${styles.table}`} aria-label="Workflows">
      <thead>
        <tr>
          <SortHeader {...sorting} name="Name" by="name" first="asc" className={styles.name} />
          <th scope="col">Status</th>
          <th scope="col" className={styles.trigger}>
            Starts with
          </th>
          <th scope="col" className={`${styles.figure} ${styles.optional}`}>
            Steps
          </th>
          <th scope="col" className={`${styles.figure} ${styles.optional}`}>
            In it now
          </th>
          <th scope="col" className={`${styles.figure} ${styles.optional}`}>
            Started
          </th>
          <SortHeader {...sorting} name="Created" by="createdAt" first="desc" className={styles.optional} />
          <ActionsHeader />
        </tr>
      </thead>
      <tbody>
        {workflows.map((workflow) => (
          <LinkRow key={workflow.id}>
            <td className={styles.name}>
              <RowTitle href={pathOf(workflow)} name={workflow.name} note={workflow.description} />
            </td>
            <td>
              <EnabledMark enabled={workflow.enabled} />
            </td>
            <td className={styles.trigger}>
              <span className={list.cut}>{formatTrigger(workflow)}</span>
            </td>
            <td className={`${styles.figure} ${styles.optional}`}>{workflow._count.steps.toLocaleString("en")}</td>
            <td className={`${styles.figure} ${styles.optional}`}>
              {workflow._count.active?.toLocaleString("en") ?? ""}
            </td>
            <td className={`${styles.figure} ${styles.optional}`}>{workflow._count.executions.toLocaleString("en")}</td>
            <td className={`${list.times} ${styles.optional}`}>
              <When at={workflow.createdAt} now={now} format={dayTime} />
            </td>
            <td className={list.action}>
              <Actions workflow={workflow} />
            </td>
          </LinkRow>
        ))}
      </tbody>
    </table>
  )
}

const pathOf = ({ id }: Pick<ListedWorkflow, "id">): string => `/workflows/${id}`

const formatTrigger = ({ triggerType, triggerConfig }: Pick<ListedWorkflow, "triggerType" | "triggerConfig">) =>
  triggerType === "MANUAL" ? "By hand or API" : String(triggerConfig.eventName ?? "")

const EnabledMark = ({ enabled }: { enabled: boolean }) => (
  <span className={status.status} data-tone={enabled ? "good" : "quiet"}>
    {enabled ? "On" : "Off"}
  </span>
)

function Actions({ workflow }: { workflow: ListedWorkflow }) {
  const [, go] = useLocation()
  const actions = useWorkflowActions(workflow, () => focusBeside(pathOf(workflow)))
  return (
    <RowMenu of={workflow.name} width={210}>
      <MenuEntry
        icon={workflow.enabled ? IconPlayerPause : IconPlayerPlay}
        run={() => actions.enable(!workflow.enabled)}
      >
        {workflow.enabled ? "Turn off" : "Turn on"}
      </MenuEntry>
      <MenuEntry icon={IconListDetails} run={() => go(`${pathOf(workflow)}/executions`)}>
        Executions
      </MenuEntry>
      <MenuEntry icon={IconCopy} run={actions.duplicate}>
        Duplicate
      </MenuEntry>
      <Menu.Divider />
      <MenuEntry icon={IconTrash} run={actions.remove} danger>
        Delete…
      </MenuEntry>
    </RowMenu>
  )
}
