import type { Subscriber } from "../../../bus/bus.ts"
import { isSignal, type Signal } from "../../../bus/signal.ts"
import { unwrapped } from "../../contacts/index.ts"
import { type Event, eventRecorded, findEvent } from "../../events/index.ts"
import { matchesEvent } from "../event-filter.ts"
import type { Execution, Workflow } from "../table.ts"
import type { Advance } from "./advance.ts"
import { findCause } from "./early-event.ts"
import type { EngineUnit, NewEngineUnit } from "./engine-unit.ts"
import type { Listeners } from "./listeners.ts"
import type { RecordFault } from "./record-fault.ts"
import type { StartExecution } from "./start.ts"
import { UnitFault } from "./steps.ts"
import { findRunning, listStartable, listWaiting } from "./store.ts"

/** A wait ends by time only when this subscriber has looked at the events until then. */
export const eventSubscriber = "workflows.events"

/** The time that several events may take in one unit, in ms: their data and the workflows they start may be much. */
const togetherMs = 100

interface EventSubscriberDeps {
  readonly listeners: Listeners
  readonly newEngineUnit: NewEngineUnit
  readonly start: StartExecution
  readonly advance: Advance
  readonly recordFault: RecordFault
  readonly wake: () => void
}

/** Starts workflows by events, and ends waits for them. */
export function createEventSubscriber({
  listeners,
  newEngineUnit,
  start,
  advance,
  recordFault,
  wake,
}: EventSubscriberDeps): Subscriber {
  /** Ends the waits for an event. A wait whose time was up when the event was stored ends by its time. */
  async function meetWaits(engineUnit: EngineUnit, { seq, createdAt }: Signal, event: Event): Promise<void> {
    const { projectId, name, contactId, id } = event
    if (contactId === null) return
    for (const execution of await listWaiting(engineUnit.unit.db, { projectId, name, contactId, seq }))
      if (
        (execution.dueAt === null || createdAt <= execution.dueAt) &&
        (await passesFilter(engineUnit, execution, event))
      )
        await advance.resume(engineUnit, execution, { timedOut: false, eventId: id })
  }

  async function passesFilter(
    engineUnit: EngineUnit,
    execution: Execution,
    { data, createdAt }: Event,
  ): Promise<boolean> {
    const workflow = await engineUnit.workflow(execution.workflowId)
    const node = workflow && (await engineUnit.graph(workflow)).nodes.get(execution.currentStepId ?? "")
    return matchesEvent(node?.step.config.filter, unwrapped(data), createdAt)
  }

  /**
   * First runs the steps that earlier events of the contact have made due, as far as these need not wait, because the
   * events of a contact are handled in order (contract B0.4): an execution that they end does not prevent the next
   * event from starting another.
   */
  async function moveOn(
    engineUnit: EngineUnit,
    { seq }: Signal,
    { contactId, id: eventId }: Event,
    workflows: readonly Workflow[],
    mayStep: () => boolean,
  ): Promise<void> {
    if (contactId === null) return
    const { db, now } = engineUnit.unit
    for (const { id: workflowId, allowReentry } of workflows) {
      const running = allowReentry ? await findRunning(db, { workflowId, contactId, now }) : undefined
      if (running && (await findCause(db, running)))
        await advance.advance(engineUnit, running, mayStep, { eventId, seq })
    }
  }

  /** Starts the workflows that an event triggers (contract B5.5). */
  async function startWorkflows(
    { unit }: EngineUnit,
    { contactId, id, data }: Event,
    workflows: readonly Workflow[],
  ): Promise<void> {
    if (contactId === null) return
    for (const workflow of workflows) await start(unit, { workflow, contactId, context: unwrapped(data), eventId: id })
  }

  return {
    name: eventSubscriber,
    on: [eventRecorded],
    // Each may start several workflows.
    atOnce: 50,
    concerns: (projectId, payload) => {
      const { contactId, name } = payload as { contactId: string | null; name: string }
      return contactId !== null && listeners.concerns(projectId, name)
    },
    // A step caused by an earlier event has failed: its execution is ended here, so that the next events need not wait.
    settle: async (cause) => cause instanceof UnitFault && (await recordFault(cause)),
    async handle(signals, unit) {
      const engineUnit = newEngineUnit(unit)
      const until = performance.now() + togetherMs
      const isInTime = () => {
        if (performance.now() < until) return true
        // Then each of them gets a unit of its own.
        if (signals.length > 1) throw new Error("The events take too long to be handled in one unit.")
        return false
      }
      for (const signal of signals) {
        isInTime()
        if (!isSignal(signal, eventRecorded)) continue
        if (!listeners.concerns(signal.projectId, signal.payload.name)) continue
        const found = await findEvent(unit.db, signal.projectId, signal.payload.eventId)
        if (found === undefined || (await engineUnit.project(signal.projectId))?.disabled) continue
        const workflows = await listStartable(unit.db, signal.projectId, signal.payload.name)
        await moveOn(engineUnit, signal, found.event, workflows, isInTime)
        await meetWaits(engineUnit, signal, found.event)
        await startWorkflows(engineUnit, found.event, workflows)
      }
      unit.afterCommit(wake)
    },
  }
}
