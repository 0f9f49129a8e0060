import { Button } from "@mantine/core"
import { IconPlayerPlay, IconPlayerStop } from "@tabler/icons-react"
import { useLocation, useSearchParams } from "wouter"
import { executionStatuses, type WorkflowFields } from "../../../api/workflows.ts"
import { FilterField } from "../../../list/filter-field.tsx"
import { ItemPage } from "../../../list/item-page.tsx"
import { PageFoot, stepsFrom } from "../../../list/paging.tsx"
import { PageHead } from "../../../parts/page-head.tsx"
import { statusNames } from "../../../parts/workflows/execution-labels.ts"
import { useExecutions, useWorkflow } from "../../../queries/workflows.ts"
import { Notice } from "../../../ui/empty-state.tsx"
import { count } from "../../../ui/format.ts"
import { type EditedWorkflow, loadEdited } from "../editor/edited.ts"
import { useWorkflowActions } from "../use-workflow-actions.tsx"
import { ExecutionPanel } from "./execution-panel.tsx"
import { ExecutionTable } from "./execution-table.tsx"
import styles from "./executions.module.css"

interface ExecutionsPageProps {
  id: string
  /** The open one. */
  executionId: string | undefined
}

/** The executions of a workflow, and one of them as a time line. */
export default function ExecutionsPage({ id, executionId }: ExecutionsPageProps) {
  return (
    <ItemPage
      title="Workflows"
      noun="workflow"
      path="/workflows"
      query={useWorkflow(id, loadEdited)}
      titleOf={(name) => `Executions of ${name}`}
    >
      {(item) => <Executions item={item} executionId={executionId} />}
    </ItemPage>
  )
}

const pageSize = 25

function Executions({ item, executionId }: { item: EditedWorkflow; executionId: string | undefined }) {
  const { id, workflow } = item
  const [, go] = useLocation()
  const [params, setParams] = useSearchParams()
  const status = executionStatuses.find((one) => one === params.get("status")) ?? null
  const stepId = params.get("step") ?? ""
  const page = Math.max(1, Number(params.get("page")) || 1)
  const query = useExecutions(id, { status, stepId, page, pageSize })
  const actions = useWorkflowActions(workflow as WorkflowFields)
  const change = (part: Readonly<Record<string, string | null>>) => {
    const next = new URLSearchParams(params)
    next.delete("page")
    for (const [name, value] of Object.entries(part)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    setParams(next, { replace: true })
  }
  const search = params.size > 0 ? `?${params}` : ""
  const open = (one: string | undefined) => go(`/workflows/${id}/executions${one ? `/${one}` : ""}${search}`)
  const found = query.data
  const step = workflow.steps.find((one) => one.id === stepId)
  const isFiltered = status !== null || stepId !== ""
  return (
    <main className={styles.page} data-open={executionId ? true : undefined}>
      <PageHead
        title={item.name}
        summary={found ? count(found.total, "execution") : ""}
        items={[
          { path: `/workflows/${id}`, name: "Steps", current: false },
          { path: `/workflows/${id}/executions`, name: "Executions", current: true },
        ]}
      >
        <Button
          size="xs"
          h={32}
          variant="default"
          leftSection={<IconPlayerStop size={15} stroke={1.7} />}
          onClick={actions.cancelAll}
        >
          Cancel all<span className={styles.wide}>…</span>
        </Button>
        <Button size="xs" h={32} leftSection={<IconPlayerPlay size={15} stroke={1.7} />} onClick={actions.start}>
          Start<span className={styles.wide}>&nbsp;for a contact</span>
        </Button>
      </PageHead>
      <div className={styles.body}>
        <section className={styles.list} aria-label="Executions">
          <div className={styles.tools}>
            <FilterField
              label="Status"
              every="Every status"
              names={statusNames}
              value={status}
              onChange={(value) => change({ status: value })}
            />
            {stepId !== "" && (
              <Button variant="light" size="compact-sm" radius="xl" onClick={() => change({ step: null })}>
                On “{step?.name ?? "a step"}” ×
              </Button>
            )}
          </div>
          <div className={styles.scroll}>
            {query.error && !found ? (
              <Notice failed text={query.error.message} action="Try again" onAction={() => void query.refetch()} />
            ) : found && found.data.length === 0 ? (
              <Notice
                text={isFiltered ? "None is like that." : "Nobody has started it yet."}
                {...(isFiltered ? { action: "Show all", onAction: () => change({ status: null, step: null }) } : {})}
              />
            ) : (
              found && <ExecutionTable executions={found.data} openId={executionId} onOpen={open} />
            )}
          </div>
          {found && found.totalPages > 1 && (
            <PageFoot
              page={found.page}
              pageSize={pageSize}
              total={found.total}
              steps={stepsFrom(page, found.totalPages, (to) => change({ page: String(to) }))}
            />
          )}
        </section>
        {executionId && (
          <ExecutionPanel
            key={executionId}
            workflowId={id}
            executionId={executionId}
            steps={workflow.steps}
            onClose={() => open(undefined)}
          />
        )}
      </div>
    </main>
  )
}
