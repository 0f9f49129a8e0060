import { headOfLog } from "../../../bus/log.ts"
import type { Engine } from "../../../engine.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import { pauseForAllowance } from "../../../mail/render/index.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Contact, Contacts } from "../../contacts/index.ts"
import { isReservedName } from "../../events/index.ts"
import type { Project } from "../../projects/index.ts"
import { stepStarted } from "../signals.ts"
import type { Execution, StepExecution } from "../table.ts"
import { insertCall } from "./call-store.ts"
import { findEarlyEvent } from "./early-event.ts"
import { cancelExecutions, emitEnded, ended, stepRemoved } from "./end.ts"
import type { EngineUnit } from "./engine-unit.ts"
import { type ExecutableGraph, follow, type Node } from "./graphs.ts"
import type { Listeners } from "./listeners.ts"
import { endStepExecution, findOpenStep, insertStepExecution, rescheduleStep } from "./step-store.ts"
import { delayOf, type StartStep, StepDelayed, StepFault, type StepResult } from "./steps.ts"
import { saveExecution } from "./store.ts"

/** The steps that one execution may start (contract B5.6.7). */
const maxSteps = 1_000

interface AdvanceDeps extends Pick<Engine, "ids" | "bus" | "random"> {
  readonly contacts: Pick<Contacts, "find">
  readonly listeners: Listeners
  readonly startStep: StartStep
}

/** An event that is being handled, and the position of its signal in the log. */
interface Handled {
  readonly eventId: string
  readonly seq: number
}

/** What the steps of one execution have in common. */
interface Run {
  readonly engineUnit: EngineUnit
  /**
   * The event from which on waits are still to be notified; undefined where they look for earlier events themselves.
   */
  readonly next: Handled | undefined
  readonly graph: ExecutableGraph
  readonly contact: Contact
  readonly project: Project
}

/** The execution moved to a step, or completed when there is none. */
const arriving = (execution: Execution, stepId: string | undefined, now: number): Execution =>
  stepId === undefined
    ? ended(execution, "COMPLETED", null, now)
    : {
        ...execution,
        status: "RUNNING",
        currentStepId: stepId,
        dueAt: now,
        waitsFor: null,
        waitsAfter: null,
        updatedAt: now,
      }

/** Whether it may start a step: it has not ended, and does not wait for a time, an event, a request or another try. */
const mayStart = ({ status, dueAt }: Execution, now: number): boolean =>
  status === "RUNNING" && dueAt !== null && dueAt <= now

const isOver = ({ completedAt }: Execution): boolean => completedAt !== null

/** Leaves a removed step for the step that the publisher of the graph has chosen (contract B5.11.4). */
async function leaveRemoved(
  { unit }: EngineUnit,
  { moves }: ExecutableGraph,
  execution: Execution,
  open?: StepExecution,
): Promise<Execution> {
  if (open) await endStepExecution(unit, open.id, { status: "SKIPPED", output: null, error: null })
  const next = moves.get(execution.currentStepId ?? "") ?? null
  return next === null ? ended(execution, "EXITED", stepRemoved, unit.now) : arriving(execution, next, unit.now)
}

/** Moves executions from step to step (contract B5.6). Each function writes in its engine unit. */
export function createAdvance({ ids, bus, random, contacts, listeners, startStep }: AdvanceDeps) {
  async function storeStep(unit: Unit, execution: Execution, row: StepExecution): Promise<void> {
    await insertStepExecution(unit, row)
    const { id: executionId, projectId, workflowId, contactId } = execution
    const { name, type } = row
    await bus.emit(unit, stepStarted, projectId, { executionId, workflowId, contactId, name, type })
  }

  async function save(unit: Unit, execution: Execution): Promise<void> {
    await saveExecution(unit, execution)
    if (isOver(execution)) await emitEnded(bus, unit, execution)
  }

  /** Ends a delay or a wait by time; a wait is left by its exit `timeout` if it has one. */
  async function wakeUp({ engineUnit, graph }: Run, execution: Execution): Promise<Execution> {
    const { unit } = engineUnit
    const open = await findOpenStep(unit.db, execution.id)
    if (open === undefined || open.stepId !== execution.currentStepId) return { ...execution, status: "RUNNING" }
    const node = graph.nodes.get(open.stepId)
    if (node === undefined) return leaveRemoved(engineUnit, graph, execution, open)
    const end = graph.delays.has(open.stepId) ? open.startedAt + delayOf(node.step.config) : unit.now
    if (end > unit.now) {
      await rescheduleStep(unit, open.id, end)
      return { ...execution, dueAt: end, updatedAt: unit.now }
    }
    const timedOut = execution.waitsFor !== null
    await endStepExecution(unit, open.id, passedWith(timedOut ? { timedOut } : {}))
    const next = (timedOut ? follow(node, "timeout") : undefined) ?? follow(node)
    return arriving(execution, next, unit.now)
  }

  /** Starts the step that an execution stands on. */
  async function step(run: Run, execution: Execution): Promise<Execution> {
    const { engineUnit, graph, contact, project } = run
    const { unit } = engineUnit
    const node = graph.nodes.get(execution.currentStepId ?? "")
    if (node === undefined) return leaveRemoved(engineUnit, graph, execution)
    if (execution.steps >= maxSteps) return ended(execution, "FAILED", "step_limit", unit.now)
    const started = { ...execution, steps: execution.steps + 1 }
    const row = newStepExecution(ids.next(), execution, node, unit.now)
    try {
      const result = await startStep({ engineUnit, execution, node, contact, project })
      await storeStep(unit, execution, withResult(row, result, unit.now))
      if (result.is === "calling") await insertCall(unit, { id: row.id, projectId: project.id })
      return await applyResult(run, started, node, result)
    } catch (cause) {
      const pauseMs =
        cause instanceof StepDelayed ? pauseForAllowance(unit.now - execution.updatedAt, random()) : undefined
      // The execution does not move, so `updatedAt` stays.
      if (pauseMs !== undefined) return { ...execution, dueAt: unit.now + pauseMs }
      if (!(cause instanceof StepFault || cause instanceof StepDelayed)) throw cause
      await storeStep(unit, execution, { ...row, status: "FAILED", error: cause.message, completedAt: unit.now })
      return ended(started, "FAILED", "step_failed", unit.now)
    }
  }

  /** Where the result of a step leads an execution. */
  async function applyResult(
    { engineUnit: { unit }, next }: Run,
    execution: Execution,
    node: Node,
    result: StepResult,
  ): Promise<Execution> {
    const { now } = unit
    switch (result.is) {
      case "passed":
        return arriving(execution, follow(node, result.branch), now)
      case "exited":
        return ended(execution, "EXITED", result.reason, now)
      case "calling":
        return { ...execution, dueAt: null, updatedAt: now }
      case "resting": {
        const { until, waitsFor } = result
        const rest = { ...execution, status: "WAITING" as const, dueAt: until, waitsFor, updatedAt: now }
        if (waitsFor === null) return rest
        listeners.add(execution.projectId, waitsFor)
        // Events that the execution itself has caused, which have reserved names, do not count.
        const seesNext = next !== undefined && !isReservedName(waitsFor)
        return { ...rest, waitsAfter: seesNext ? next.seq - 1 : await headOfLog(unit.db) }
      }
    }
  }

  /** Ends a wait that has just begun, for an event that came before it began. */
  async function meetEarlyEvent({ engineUnit, graph, next }: Run, execution: Execution): Promise<Execution> {
    const { unit } = engineUnit
    const node = execution.waitsFor === null ? undefined : graph.nodes.get(execution.currentStepId ?? "")
    if (node === undefined) return execution
    const eventId = await findEarlyEvent(unit.db, execution, node, next?.eventId)
    const open = eventId === undefined ? undefined : await findOpenStep(unit.db, execution.id)
    if (eventId === undefined || open === undefined) return execution
    await endStepExecution(unit, open.id, passedWith({ timedOut: false, eventId }))
    return arriving(execution, follow(node), unit.now)
  }

  async function runOf(engineUnit: EngineUnit, execution: Execution, next?: Handled): Promise<Run | undefined> {
    const workflow = await engineUnit.workflow(execution.workflowId)
    const project = await engineUnit.project(execution.projectId)
    const contact = await contacts.find(engineUnit.unit.db, execution.projectId, execution.contactId)
    if (workflow === undefined || project === undefined || contact === undefined) return undefined
    return { engineUnit, next, project, contact, graph: await engineUnit.graph(workflow) }
  }

  /** The contact as earlier steps of this unit have left it. */
  async function refreshed(run: Run, { projectId, contactId }: Execution): Promise<Run> {
    return { ...run, contact: (await contacts.find(run.engineUnit.unit.db, projectId, contactId)) ?? run.contact }
  }

  return {
    /**
     * Advances a due execution until it waits, makes a request or ends, or until it may not start another step in this
     * unit and is due again at once. Throws a UnitFault when the unit must be rolled back.
     *
     * @param next the event that is handled after it, so that what rests by then is told of it
     */
    async advance(
      engineUnit: EngineUnit,
      given: Execution,
      mayStep: (execution: Execution) => boolean,
      next?: Handled,
    ): Promise<void> {
      const { unit } = engineUnit
      let run = await runOf(engineUnit, given, next)
      // Its workflow was deleted, and its executions are being deleted.
      if (run === undefined) return saveExecution(unit, { ...given, dueAt: null })
      if (run.project.disabled) return void (await cancelExecutions(bus, unit, [given.id], "project_disabled"))
      let execution = given.status === "WAITING" ? await wakeUp(run, given) : given
      while (mayStart(execution, unit.now) && mayStep(execution)) {
        execution = await meetEarlyEvent(run, await step(run, execution))
        run = await refreshed(run, execution)
      }
      await save(unit, execution)
    },

    /** Moves an execution on from the step whose event or answer has come. */
    async resume(engineUnit: EngineUnit, execution: Execution, output: JsonObject): Promise<void> {
      const { unit } = engineUnit
      const run = await runOf(engineUnit, execution)
      const open = await findOpenStep(unit.db, execution.id)
      if (run === undefined || open === undefined) return
      const node = run.graph.nodes.get(open.stepId)
      if (node === undefined) return save(unit, await leaveRemoved(engineUnit, run.graph, execution, open))
      await endStepExecution(unit, open.id, passedWith(output))
      await save(unit, arriving(execution, follow(node), unit.now))
    },

    /** Ends an execution whose step failed: the open one, or the one that it could not start. */
    async fail(engineUnit: EngineUnit, execution: Execution, error: string): Promise<void> {
      const { unit } = engineUnit
      const open = await findOpenStep(unit.db, execution.id)
      if (open) await endStepExecution(unit, open.id, { status: "FAILED", output: null, error })
      else {
        const run = await runOf(engineUnit, execution)
        const node = run?.graph.nodes.get(execution.currentStepId ?? "")
        if (node) {
          const row = newStepExecution(ids.next(), execution, node, unit.now)
          await storeStep(unit, execution, { ...row, status: "FAILED", error, completedAt: unit.now })
        }
      }
      await save(unit, ended(execution, "FAILED", "step_failed", unit.now))
    },
  }
}

export type Advance = ReturnType<typeof createAdvance>

const passedWith = (output: JsonObject) => ({ status: "COMPLETED", output, error: null }) as const

const newStepExecution = (id: string, { id: executionId }: Execution, { step }: Node, now: number): StepExecution => ({
  id,
  executionId,
  stepId: step.id,
  name: step.name,
  type: step.type,
  status: "RUNNING",
  scheduledFor: null,
  output: null,
  error: null,
  startedAt: now,
  completedAt: null,
})

function withResult(row: StepExecution, result: StepResult, now: number): StepExecution {
  switch (result.is) {
    case "passed":
      return { ...row, status: "COMPLETED", output: result.output, completedAt: now }
    case "exited":
      return { ...row, status: "COMPLETED", output: {}, completedAt: now }
    case "resting":
      return { ...row, status: result.waitsFor === null ? "SCHEDULED" : "WAITING", scheduledFor: result.until }
    case "calling":
      return row
  }
}
