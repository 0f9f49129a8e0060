import type { Engine } from "../../../engine.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import { tooSlowForNow } from "../../../mail/render/index.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Contact, Contacts } from "../../contacts/index.ts"
import type { EmailSources, Emails } from "../../emails/index.ts"
import type { Advance } from "../engine/advance.ts"
import type { EngineUnit, NewEngineUnit } from "../engine/engine-unit.ts"
import type { ExecutableGraph } from "../engine/graphs.ts"
import type { PrepareRequest, WebhookRequest } from "../engine/request.ts"
import { newExecution } from "../engine/start.ts"
import { findOpenStep, insertStepExecution } from "../engine/step-store.ts"
import { isReadLater } from "../engine/steps.ts"
import { findExecutionById, insertExecution } from "../engine/store.ts"
import { matchesEvent } from "../event-filter.ts"
import type { Execution, StepExecution, Workflow } from "../table.ts"
import { findLastRow, listRows } from "./store.ts"

/** Something that happens to the contact while it is in the workflow. */
export interface LaterEvent {
  /** In ms after the start. */
  readonly after: number
  readonly name: string
  readonly data: JsonObject
}

/** Effects of a step that are not in its record. */
interface Effect {
  readonly mail?: EmailSources
  readonly request?: WebhookRequest
  readonly contact?: { readonly before: Contact; readonly after: Contact }
}

/** The state of a run, with everything needed to continue it. */
export interface SimulatedRun {
  readonly workflow: Workflow
  readonly graph: ExecutableGraph
  readonly execution: Execution
  /** As the steps have left it. */
  readonly contact: Contact
  /** By the id of the step execution, in the order of their start. */
  readonly steps: ReadonlyMap<string, StepExecution>
  /** By the id of the step execution. */
  readonly effects: ReadonlyMap<string, Effect>
  /** The virtual time. */
  readonly now: number
  /** Those that are still to come, in the order of their times. */
  readonly events: readonly LaterEvent[]
  /** In ms after the start; the run stops there. */
  readonly until: number
  /** The processor time so far, in ms. */
  readonly usedMs: number
  readonly isOver: boolean
  /** Whether it was stopped because it took too long. */
  readonly isCut: boolean
}

type Begun = Pick<SimulatedRun, "workflow" | "graph" | "contact" | "events" | "until">

/** A run before its first step. */
export function beginRun(id: string, begun: Begun, context: JsonObject, now: number): SimulatedRun {
  const { workflow, graph, contact } = begun
  const execution = newExecution(id, { workflow, contactId: contact.id, context, eventId: null }, graph, now)
  return { ...begun, execution, now, steps: new Map(), effects: new Map(), usedMs: 0, isOver: false, isCut: false }
}

export interface RunDeps extends Pick<Engine, "ids"> {
  readonly contacts: Pick<Contacts, "find">
  readonly emails: Pick<Emails, "sourcesOf">
  readonly advance: Advance
  readonly newEngineUnit: NewEngineUnit
  readonly prepareRequest: PrepareRequest
}

/** The processor time of one simulation, in ms. */
const limitMs = 2_000
/** The time of one slice, in ms: all other units and the event loop wait meanwhile. */
const sliceMs = 30

/** The processor time that this thread has used, in ms. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * Runs one execution in virtual time, slice by slice, each in a unit that the caller rolls back: the steps are those of
 * the engine, and time advances from one delay or wait to the next. A request of a WEBHOOK step is answered with 200.
 * Reports the state of the run at the end, and before a step that may throw a UnitFault. @throws {DomainError} 429 for
 * the allowance of slow templates
 */
export function createRun({ ids, contacts, emails, advance, newEngineUnit, prepareRequest }: RunDeps) {
  return async (unit: Unit, given: SimulatedRun, report: (run: SimulatedRun) => void): Promise<void> => {
    const { workflow, graph, until } = given
    const { id, startedAt: began, contactId } = given.execution
    await insertExecution(unit, given.execution)
    for (const row of given.steps.values()) if (isReadLater(row, given.now)) await insertStepExecution(unit, row)
    const steps = new Map(given.steps)
    const effects = new Map(given.effects)
    const left = [...given.events]
    let { now } = given

    const endsAt = performance.now() + sliceMs
    const usedBefore = threadMs()
    const usedMs = () => given.usedMs + threadMs() - usedBefore
    const present = async (): Promise<Execution> => (await findExecutionById(unit.db, id)) ?? given.execution
    const contact = () => contacts.find(unit.db, workflow.projectId, contactId)

    async function takeNote(isOver = false): Promise<void> {
      for (const row of await listRows(unit.db, id)) steps.set(row.id, row)
      const execution = await present()
      report({
        ...given,
        execution,
        contact: (await contact()) ?? given.contact,
        steps,
        effects,
        now,
        events: left,
        usedMs: usedMs(),
        isOver,
        isCut: isOver && execution.completedAt === null && usedMs() >= limitMs,
      })
    }

    /** One step of the engine, and what it did. */
    async function oneStep(engineUnit: EngineUnit, execution: Execution): Promise<void> {
      // This kind may end the unit with a fault.
      if (graph.nodes.get(execution.currentStepId ?? "")?.step.type === "UPDATE_CONTACT") await takeNote()
      const before = await contact()
      await advance.advance(engineUnit, execution, ({ steps }) => steps === execution.steps)
      const row = await findLastRow(unit.db, id)
      // Known when no other step was started.
      if (row === undefined || effects.has(row.id)) return
      effects.set(row.id, await effectOf(row, before))
    }

    async function effectOf(row: StepExecution, before: Contact | undefined): Promise<Effect> {
      if (row.type === "SEND_EMAIL" && typeof row.output?.emailId === "string") {
        const mail = await emails.sourcesOf(unit.db, row.output.emailId)
        return mail === undefined ? {} : { mail }
      }
      const after = row.type === "UPDATE_CONTACT" ? await contact() : undefined
      return before && after ? { contact: { before, after } } : {}
    }

    /** The request of a WEBHOOK step is made, but not sent. */
    async function answerCall(engineUnit: EngineUnit, execution: Execution): Promise<void> {
      const stepExecution = await findOpenStep(unit.db, execution.id)
      const step = stepExecution && graph.nodes.get(stepExecution.stepId)?.step
      if (stepExecution === undefined || step === undefined) return
      const request = await prepareRequest(unit.db, { execution, stepExecution, step })
      if ("fault" in request) return advance.fail(engineUnit, execution, request.fault)
      effects.set(stepExecution.id, { request })
      const { url, method } = request
      const answer = { url, method, statusCode: 200, success: true, response: "", attempts: 1 }
      await advance.resume(engineUnit, execution, answer)
    }

    /** The next event that a rest is about to meet, before it ends by time; those in between pass without effect. */
    function nextEvent({ waitsFor, currentStepId, dueAt }: Execution): LaterEvent | undefined {
      const limit = dueAt ?? Number.POSITIVE_INFINITY
      const filter = graph.nodes.get(currentStepId ?? "")?.step.config.filter
      for (let next = left[0]; next !== undefined && began + next.after <= limit; next = left[0]) {
        left.shift()
        const at = began + next.after
        if (at >= now && next.name === waitsFor && matchesEvent(filter, next.data, at)) return next
      }
      return undefined
    }

    /** Lets time pass until a rest ends; false when it does not, or not before the end of the simulation. */
    async function rest(execution: Execution): Promise<boolean> {
      const event = nextEvent(execution)
      const next = event === undefined ? execution.dueAt : began + event.after
      if (next === null || next > began + until) return false
      now = Math.max(now, next)
      const engineUnit = engineUnitAt(now)
      if (event === undefined) await oneStep(engineUnit, execution)
      else await advance.resume(engineUnit, execution, { timedOut: false, eventId: ids.next() })
      return true
    }

    const engineUnitAt = (at: number): EngineUnit => ({ ...newEngineUnit(unitAt(unit, at)), graph: async () => graph })

    let isOver = false
    for (let execution = await present(); !isOver && performance.now() < endsAt; execution = await present()) {
      const engineUnit = engineUnitAt(now)
      if (execution.completedAt !== null || usedMs() >= limitMs) isOver = true
      else if (execution.status === "WAITING") isOver = !(await rest(execution))
      else if (execution.dueAt === null) await answerCall(engineUnit, execution)
      else if (execution.dueAt > now) throw tooSlowForNow()
      else await oneStep(engineUnit, execution)
    }
    await takeNote(isOver)
  }
}

/** The unit at another time; nothing of it is ever committed. */
const unitAt = (unit: Unit, now: number): Unit => ({
  get db() {
    return unit.db
  },
  now,
  afterCommit: () => {},
})
