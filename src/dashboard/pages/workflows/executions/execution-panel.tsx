import { Button, Skeleton } from "@mantine/core"
import { IconPlayerStop, IconX } from "@tabler/icons-react"
import { Link } from "wouter"
import { isMissing } from "../../../api/http.ts"
import { cancelExecution, type StepExecution, type WholeExecution, type Workflow } from "../../../api/workflows.ts"
import {
  formatReason,
  isActive,
  statusNames,
  stepStatusNames,
  tones,
} from "../../../parts/workflows/execution-labels.ts"
import { useChange } from "../../../queries/use-change.ts"
import { refetchExecutions, useExecution } from "../../../queries/workflows.ts"
import { confirm } from "../../../ui/confirm.tsx"
import { DataDetails } from "../../../ui/data-details.tsx"
import { Notice } from "../../../ui/empty-state.tsx"
import { fullTime } from "../../../ui/format.ts"
import status from "../../../ui/status.module.css"
import { Tool } from "../../../ui/tool.tsx"
import { exitNameIn } from "../editor/model/exits.ts"
import { kinds } from "../editor/model/kinds.ts"
import { StepIcon } from "../step-icon.tsx"
import styles from "./executions.module.css"

interface ExecutionPanelProps {
  workflowId: string
  executionId: string
  /** Of the workflow. */
  steps: Workflow["steps"]
  onClose(): void
}

/** One execution: what each step did, in the order of time. */
export function ExecutionPanel({ workflowId, executionId, steps, onClose }: ExecutionPanelProps) {
  const { data: execution, error, refetch } = useExecution(workflowId, executionId)
  const cancellation = useChange({
    send: (projectId) => cancelExecution(projectId, workflowId, executionId),
    title: "Not cancelled",
    done: (client, projectId) => refetchExecutions(client, projectId, workflowId),
  })
  const cancel = () =>
    confirm({
      title: "Cancel this execution?",
      text: "The contact leaves the workflow where they are. Mails that are on their way are sent.",
      confirm: "Cancel it",
      onConfirm: () => void cancellation.run(),
    })
  return (
    <article className={styles.panel} aria-label="Execution" aria-busy={!execution && !error}>
      <header className={styles.panelBar}>
        <h2 className={styles.panelTitle}>{execution?.contact.email ?? "Execution"}</h2>
        {execution && isActive(execution) && (
          <Button
            variant="default"
            size="xs"
            h={30}
            leftSection={<IconPlayerStop size={15} stroke={1.7} />}
            loading={cancellation.isRunning}
            onClick={cancel}
          >
            Cancel
          </Button>
        )}
        <Tool label="Close" icon={IconX} size="md" run={onClose} />
      </header>
      {execution ? (
        <Details execution={execution} steps={steps} />
      ) : isMissing(error) ? (
        <Notice failed text="This execution is not here. It was deleted with its contact, or is of another workflow." />
      ) : error ? (
        <Notice failed text={error.message} action="Try again" onAction={() => void refetch()} />
      ) : (
        <div className={styles.skeleton} aria-hidden="true">
          <Skeleton height={20} width="50%" />
          <Skeleton height={80} />
        </div>
      )}
    </article>
  )
}

function Details({ execution, steps }: { execution: WholeExecution; steps: Workflow["steps"] }) {
  const { contact, startedAt, completedAt, context, stepExecutions } = execution
  const reason = formatReason(execution)
  return (
    <div className={styles.details}>
      <dl className={styles.facts}>
        <div>
          <dt>Status</dt>
          <dd>
            <span className={status.status} data-tone={tones[execution.status]} data-pill>
              {statusNames[execution.status]}
            </span>
          </dd>
        </div>
        {reason !== "" && (
          <div>
            <dt>Why</dt>
            <dd>{reason}</dd>
          </div>
        )}
        <div>
          <dt>Started</dt>
          <dd>{fullTime(Date.parse(startedAt))}</dd>
        </div>
        {completedAt && (
          <div>
            <dt>Ended</dt>
            <dd>{fullTime(Date.parse(completedAt))}</dd>
          </div>
        )}
        <div>
          <dt>Contact</dt>
          <dd>
            <Link href={`/contacts/${contact.id}`}>{contact.email}</Link>
          </dd>
        </div>
      </dl>
      {Object.keys(context).length > 0 && (
        <DataDetails summary="Data of the event" text={JSON.stringify(context, null, 2)} />
      )}
      <ol className={styles.timeline} aria-label="Steps">
        {stepExecutions.map((step) => (
          <Passed key={step.id} of={step} steps={steps} />
        ))}
      </ol>
    </div>
  )
}

function Passed({ of, steps }: { of: StepExecution; steps: Workflow["steps"] }) {
  const { step, output, error, startedAt, scheduledFor } = of
  const { name } = kinds[step.type]
  const rests = of.status === "SCHEDULED" || of.status === "WAITING"
  return (
    <li className={styles.passed}>
      <StepIcon type={step.type} size={32} />
      <div className={styles.texts}>
        <p className={styles.stepName}>
          <strong>{step.name}</strong>
          <span className={status.status} data-tone={tones[of.status]}>
            {stepStatusNames[of.status]}
          </span>
        </p>
        <p className={styles.time}>
          {step.name === name ? "" : `${name} · `}
          {fullTime(Date.parse(startedAt))}
          {rests && scheduledFor && ` · goes on ${fullTime(Date.parse(scheduledFor))}`}
        </p>
        {error && (
          <p className={styles.error} role="note">
            {error}
          </p>
        )}
        <Output of={of} output={output} steps={steps} />
      </div>
    </li>
  )
}

interface OutputProps {
  of: StepExecution
  output: StepExecution["output"]
  steps: Workflow["steps"]
}

/** What a step did: its mail, its branch, or the answer of its webhook. */
function Output({ of, output, steps }: OutputProps) {
  if (!output) return null
  const { emailId, branch, timedOut, statusCode, success, response, attempts, url, method } = output
  if (of.step.type === "SEND_EMAIL" && typeof emailId === "string")
    return (
      <p className={styles.output}>
        <Link href={`/inbox/${emailId}`}>Open the mail</Link>
      </p>
    )
  if (of.step.type === "CONDITION" && typeof branch === "string")
    return <p className={styles.output}>Went the way “{exitNameIn(steps, of.stepId, branch)}”</p>
  if (of.step.type === "WAIT_FOR_EVENT" && typeof timedOut === "boolean")
    return <p className={styles.output}>{timedOut ? "Time was up" : "The event came"}</p>
  if (output.omitted === true)
    return (
      <p className={styles.output}>Answered with {String(statusCode)}; the text is not shown, for there are many</p>
    )
  if (of.step.type === "WEBHOOK" && typeof statusCode === "number")
    return (
      <DataDetails
        summary={
          <>
            {String(method)} {String(url)}: {statusCode}
            {success === false && ", no success"}
            {typeof attempts === "number" && attempts > 1 && `, ${attempts} attempts`}
          </>
        }
        text={typeof response === "string" ? response : (JSON.stringify(response, null, 2) ?? "")}
      />
    )
  return null
}
