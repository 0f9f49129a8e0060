import type { Engine } from "../../../engine.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Contact, Contacts } from "../../contacts/index.ts"
import type { EmailSources, Emails } from "../../emails/index.ts"
import type { Advance } from "../engine/advance.ts"
import type { ExecutableGraph } from "../engine/graphs.ts"
import type { PrepareRequest, WebhookRequest } from "../engine/request.ts"
import { newExecution } from "../engine/start.ts"
import { findOpenStep } from "../engine/step-store.ts"
import { findExecutionById, insertExecution } from "../engine/store.ts"
import type { NewTurn, Turn } from "../engine/turn.ts"
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

export interface Simulation {
  readonly workflow: Workflow
  readonly graph: ExecutableGraph
  readonly contactId: string
  readonly context: JsonObject
  /** In the order of their times. */
  readonly events: readonly LaterEvent[]
  /** In ms after the start; the simulation stops there. */
  readonly until: number
}

/** What a step would have done, beside what its record says. */
export interface Effect {
  readonly mail?: EmailSources
  readonly request?: WebhookRequest
  readonly contact?: { readonly before: Contact; readonly after: Contact }
}

/** What a run has come to. It is filled while the run goes on, because a step may end the whole unit. */
export interface SimulatedRun {
  graph: ExecutableGraph
  execution: Execution
  steps: readonly StepExecution[]
  /** By the id of the step execution. */
  readonly effects: Map<string, Effect>
  /** Whether it was stopped because it took too long. */
  isCut: boolean
}

export interface RunDeps extends Pick<Engine, "ids"> {
  readonly contacts: Pick<Contacts, "find">
  readonly emails: Pick<Emails, "sourcesOf">
  readonly advance: Advance
  readonly newTurn: NewTurn
  readonly prepareRequest: PrepareRequest
}

/** The processor time of one simulation, in ms: all other units wait meanwhile. */
const limitMs = 2_000

/**
 * Runs one execution in virtual time, in a unit that the caller gives up: the steps are those of the engine, and time
 * passes from one rest to the next. A request of a WEBHOOK step is answered with 200. Throws the UnitFault of a step.
 */
export function createRun({ ids, contacts, emails, advance, newTurn, prepareRequest }: RunDeps) {
  return async (unit: Unit, simulation: Simulation, report: (run: SimulatedRun) => void): Promise<void> => {
    const { workflow, graph, contactId, context, until } = simulation
    const began = unit.now
    const given = newExecution(ids.next(), { workflow, contactId, context, eventId: null }, graph, began)
    await insertExecution(unit, given)
    const effects = new Map<string, Effect>()
    const run: SimulatedRun = { graph, execution: given, steps: [], effects, isCut: false }
    report(run)
    const deadline = performance.now() + limitMs
    const left = [...simulation.events]
    let now = began

    const present = async (): Promise<Execution> => (await findExecutionById(unit.db, given.id)) ?? given
    const contact = () => contacts.find(unit.db, workflow.projectId, contactId)

    async function takeNote(): Promise<void> {
      run.execution = await present()
      run.steps = await listRows(unit.db, given.id)
    }

    /** One step of the engine, and what it did. */
    async function oneStep(turn: Turn, execution: Execution): Promise<void> {
      // This kind may end the unit with a fault.
      if (graph.nodes.get(execution.currentStepId ?? "")?.step.type === "UPDATE_CONTACT") await takeNote()
      const before = await contact()
      await advance.advance(turn, execution, ({ steps }) => steps === execution.steps)
      const row = await findLastRow(unit.db, given.id)
      if (row === undefined) return
      effects.set(row.id, { ...effects.get(row.id), ...(await effectOf(row, before)) })
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
    async function answerCall(turn: Turn, execution: Execution): Promise<void> {
      const stepExecution = await findOpenStep(unit.db, execution.id)
      const step = stepExecution && graph.nodes.get(stepExecution.stepId)?.step
      if (stepExecution === undefined || step === undefined) return
      const request = await prepareRequest(unit.db, { execution, stepExecution, step })
      if ("fault" in request) return advance.fail(turn, execution, request.fault)
      effects.set(stepExecution.id, { request })
      const { url, method } = request
      const answer = { url, method, statusCode: 200, success: true, response: "", attempts: 1 }
      await advance.resume(turn, execution, answer)
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
      const turn = turnAt(now)
      if (event === undefined) await oneStep(turn, execution)
      else await advance.resume(turn, execution, { timedOut: false, eventId: ids.next() })
      return true
    }

    const turnAt = (at: number): Turn => ({ ...newTurn(unitAt(unit, at)), graph: async () => graph })

    for (let execution = await present(); execution.completedAt === null; execution = await present()) {
      run.isCut = performance.now() >= deadline
      if (run.isCut) break
      const turn = turnAt(now)
      if (execution.status === "WAITING") {
        if (!(await rest(execution))) break
      } else if (execution.dueAt === null) await answerCall(turn, execution)
      else await oneStep(turn, execution)
    }
    await takeNote()
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
