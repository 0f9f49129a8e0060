import { Button } from "@mantine/core"
import { IconChevronLeft, IconChevronRight, IconRefresh } from "@tabler/icons-react"
import type { SimulatedStep, Simulation } from "../../../../api/workflows.ts"
import { formatReason, stepStatusNames, tones } from "../../../../parts/workflows/execution-labels.ts"
import { DataDetails } from "../../../../ui/data-details.tsx"
import { Note } from "../../../../ui/note.tsx"
import status from "../../../../ui/status.module.css"
import { Tool } from "../../../../ui/tool.tsx"
import { StepIcon } from "../../step-icon.tsx"
import { exitNameIn } from "../model/exits.ts"
import type { Graph } from "../model/graph.ts"
import { openMail } from "./mail.tsx"
import styles from "./simulation.module.css"

interface TimelineProps {
  simulation: Simulation
  /** That it ran through. */
  graph: Graph
  /** The step in view. */
  at: number
  onAt(index: number): void
  onAgain(): void
}

/** The steps of a simulation with their times; moving along them lights up the way. */
export function Timeline({ simulation, graph, at, onAt, onAgain }: TimelineProps) {
  const { steps, startedAt } = simulation
  const start = Date.parse(startedAt)
  const last = steps.length - 1
  return (
    <>
      <div className={styles.bar}>
        <Tool label="Earlier" icon={IconChevronLeft} size="md" run={at > 0 ? () => onAt(at - 1) : undefined} />
        <input
          className={styles.slider}
          type="range"
          aria-label="Time"
          aria-valuetext={steps[at] ? `${formatAfter(Date.parse(steps[at].startedAt) - start)}: ${steps[at].name}` : ""}
          min={0}
          max={Math.max(last, 0)}
          value={at}
          onChange={(event) => onAt(Number(event.currentTarget.value))}
        />
        <Tool label="Later" icon={IconChevronRight} size="md" run={at < last ? () => onAt(at + 1) : undefined} />
      </div>
      {!simulation.complete && <Note>It took too long and was stopped here.</Note>}
      <ol className={styles.steps} aria-label="Steps of the simulation">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step can be passed more than once, always in this order
          <li key={index} data-later={index > at || undefined} aria-current={index === at ? "step" : undefined}>
            <Passed
              step={step}
              way={step.branch === null ? "" : exitNameIn(graph.steps, step.stepId, step.branch)}
              after={Date.parse(step.startedAt) - start}
              onShow={() => onAt(index)}
            />
          </li>
        ))}
      </ol>
      <p className={styles.end}>{formatEnd(simulation)}</p>
      <div>
        <Button variant="default" size="xs" leftSection={<IconRefresh size={15} stroke={1.7} />} onClick={onAgain}>
          Another run
        </Button>
      </div>
    </>
  )
}

interface PassedProps {
  step: SimulatedStep
  /** The name of the exit, if it is not the only one. */
  way: string
  after: number
  onShow(): void
}

function Passed({ step, way, after, onShow }: PassedProps) {
  const { email, request, contact, error } = step
  return (
    <>
      <button type="button" className={styles.step} onClick={onShow}>
        <StepIcon type={step.type} size={28} />
        <span className={styles.texts}>
          <strong dir="auto">{step.name}</strong>
          <small>
            {formatAfter(after)}
            {way !== "" && ` · ${way}`}
          </small>
        </span>
        {step.status !== "COMPLETED" && (
          <span className={status.status} data-tone={tones[step.status]}>
            {stepStatusNames[step.status]}
          </span>
        )}
      </button>
      <div className={styles.effects}>
        {email && (
          <Button variant="light" size="compact-sm" onClick={() => openMail(email)}>
            {email.error ? "Not sent" : "Mail"}: {email.subject}
          </Button>
        )}
        {request && <DataDetails summary={`${request.method} ${request.url}`} text={request.body ?? ""} />}
        {contact && <DataDetails summary="Changed the contact" text={formatChange(contact.before, contact.after)} />}
        {error && <p className={styles.fault}>{error}</p>}
      </div>
    </>
  )
}

type ContactState = NonNullable<SimulatedStep["contact"]>["before"]

/** The fields that differ, line by line. */
function formatChange(before: ContactState, after: ContactState): string {
  const keys = [...new Set([...Object.keys(before.data), ...Object.keys(after.data)])]
  const lines = keys.flatMap((key) => {
    const [was, is] = [JSON.stringify(before.data[key]), JSON.stringify(after.data[key])]
    return was === is ? [] : [`${key}: ${was ?? "nothing"} → ${is ?? "nothing"}`]
  })
  const flips = before.subscribed === after.subscribed ? [] : [after.subscribed ? "subscribed" : "unsubscribed"]
  return [...lines, ...flips].join("\n") || "Nothing is different."
}

const minute = 60_000
const units = [
  ["d", 1_440 * minute],
  ["h", 60 * minute],
  ["min", minute],
  ["s", 1_000],
] as const

/** `at once`, `after 2 d 4 h` */
function formatAfter(ms: number): string {
  if (ms < 1_000) return "At once"
  let left = ms
  const parts: string[] = []
  for (const [unit, size] of units) {
    const amount = Math.floor(left / size)
    if (amount > 0 && parts.length < 2) parts.push(`${amount} ${unit}`)
    left -= amount * size
  }
  return `After ${parts.join(" ")}`
}

function formatEnd(simulation: Simulation): string {
  const { exitReason, error } = simulation
  switch (simulation.status) {
    case "COMPLETED":
      return "It reaches the end."
    case "EXITED":
      return `It ends: ${formatReason({ exitReason })}.`
    case "FAILED":
      return `It fails. ${error ?? formatReason({ exitReason })}`
    default:
      return "It waits for ever: add what the contact does meanwhile."
  }
}
