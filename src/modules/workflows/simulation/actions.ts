import type { Engine } from "../../../engine.ts"
import { DomainError, invalid, notFound } from "../../../kernel/errors.ts"
import { yieldToEventLoop } from "../../../kernel/event-loop.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import { createTurns } from "../../../kernel/turns.ts"
import { isShortOfTime, RenderFault, tooSlowForNow } from "../../../mail/render/index.ts"
import type { Unit } from "../../../store/writer.ts"
import type { Contact, ContactPatch, Contacts } from "../../contacts/index.ts"
import type { Emails } from "../../emails/index.ts"
import type { Templates } from "../../templates/index.ts"
import { getWorkflow } from "../actions.ts"
import { committed, type ExecutableGraph, executable, type Graphs } from "../engine/graphs.ts"
import { UnitFault } from "../engine/steps.ts"
import { warmTemplates } from "../engine/warm.ts"
import { readGraph } from "../store.ts"
import type { Workflow } from "../table.ts"
import { adopt } from "../whole/adopt.ts"
import { sentFaults, under } from "../whole/faults.ts"
import type { SentGraph } from "../whole/sent.ts"
import { beginRun, createRun, type LaterEvent, type RunDeps, type SimulatedRun } from "./run.ts"

export interface SimulationRequest {
  /** A contact of the project; a made-up one when undefined. */
  readonly contactId: string | undefined
  readonly contact: ContactPatch
  readonly context: JsonObject
  readonly events: readonly LaterEvent[]
  readonly until: number
  /** A graph that is not saved; that of the workflow when undefined. */
  readonly graph: SentGraph | undefined
}

/** A simulated message. */
interface SimulatedMail {
  readonly html: string
  readonly text: string
}

interface RunWithFault extends SimulatedRun {
  /** Why the last step failed, when it ended the unit; it is not among the steps then. */
  readonly fault: string | null
}

export interface Simulated extends RunWithFault {
  /** By the id of the step execution: those that could be rendered, up to the limit of an answer. */
  readonly mails: ReadonlyMap<string, SimulatedMail>
}

interface SimulationDeps extends RunDeps, Pick<Engine, "store"> {
  readonly graphs: Graphs
  readonly contacts: Pick<Contacts, "find" | "upsertIn" | "changeIn" | "restoreIn">
  readonly templates: Pick<Templates, "find">
  readonly emails: Pick<Emails, "sourcesOf" | "shownAs" | "warmTemplate">
}

/** Messages of which an answer has the content. */
const mostMails = 50
const madeUpAddress = "simulated@example.com"
/** The domain of a contact with the address of a made-up one meanwhile (RFC 2606). */
const replacedDomain = "replaced.invalid"

/** Thrown to roll back the unit of a slice, so that nothing of it is stored. */
class SliceEnd extends Error {}

const missing = (contactId: string): never => {
  throw notFound("Contact", contactId)
}

/** Runs workflows in virtual time: nothing is stored, sent or emitted (contract B5.10). */
export function createSimulations(deps: SimulationDeps) {
  const { store, ids, graphs, contacts, templates, emails } = deps
  const run = createRun(deps)
  // One at a time, because each occupies the writer slice after slice.
  const inTurn = createTurns()

  async function graphOf(unit: Unit, workflow: Workflow, sent: SentGraph | undefined): Promise<ExecutableGraph> {
    if (sent === undefined) return graphs(unit, workflow)
    const { graph, faults } = await adopt(unit.db, ids, workflow, sent, await readGraph(unit.db, workflow.id))
    if (faults.length > 0) throw invalid(faults.map((each) => under("graph", each)))
    return executable(graph)
  }

  /** A real contact with this address is not the one that is made up. */
  async function freeAddress(unit: Unit, projectId: string, email: string): Promise<void> {
    const { contact } = await contacts.upsertIn(unit, projectId, { email, subscribedWhenNew: true })
    await contacts.changeIn(unit, projectId, contact.id, { email: `${contact.id}@${replacedDomain}` }, "api")
  }

  async function contactIn(unit: Unit, projectId: string, { contactId, contact }: SimulationRequest): Promise<Contact> {
    if (contactId !== undefined) return (await contacts.find(unit.db, projectId, contactId)) ?? missing(contactId)
    const { email = madeUpAddress, ...fields } = contact
    await freeAddress(unit, projectId, email)
    return (await contacts.upsertIn(unit, projectId, { ...fields, email, subscribedWhenNew: true })).contact
  }

  async function begin(
    unit: Unit,
    projectId: string,
    workflowId: string,
    request: SimulationRequest,
  ): Promise<SimulatedRun> {
    const workflow = await getWorkflow(unit.db, projectId, workflowId)
    const graph = await graphOf(unit, workflow, request.graph)
    const contact = await contactIn(unit, projectId, request)
    const { context, events, until } = request
    return beginRun(ids.next(), { workflow, graph, contact, events, until }, context, unit.now)
  }

  /** Restores the results of earlier slices that steps read. */
  async function resumeRun(
    unit: Unit,
    projectId: string,
    { contactId }: SimulationRequest,
    run: SimulatedRun,
  ): Promise<void> {
    await getWorkflow(unit.db, projectId, run.workflow.id)
    if (contactId === undefined) await freeAddress(unit, projectId, run.contact.email)
    await contacts.restoreIn(unit, run.contact)
  }

  async function runInSlices(projectId: string, workflowId: string, request: SimulationRequest): Promise<RunWithFault> {
    for (let last: SimulatedRun | undefined; ; await yieldToEventLoop()) {
      const before = last
      const ended = await store
        .write(projectId, async (unit) => {
          if (before) await resumeRun(unit, projectId, request, before)
          const begun = before ?? (await begin(unit, projectId, workflowId, request))
          await run(unit, begun, (known) => {
            last = known
          })
          throw new SliceEnd()
        })
        .catch((cause: unknown) => cause)
      if (last !== undefined && ended instanceof UnitFault) return { ...last, fault: ended.message }
      if (ended instanceof RenderFault && isShortOfTime(ended)) throw tooSlowForNow(ended)
      if (last === undefined || !(ended instanceof SliceEnd)) throw ended
      if (last.isOver) return { ...last, fault: null }
    }
  }

  async function mailsOf({ effects }: SimulatedRun): Promise<ReadonlyMap<string, SimulatedMail>> {
    const mails = new Map<string, SimulatedMail>()
    for (const [id, { mail }] of effects) {
      if (mail === undefined || mails.size === mostMails) continue
      try {
        await yieldToEventLoop()
        mails.set(id, await emails.shownAs(mail))
      } catch (cause) {
        if (!(cause instanceof RenderFault || cause instanceof DomainError)) throw cause
      }
    }
    return mails
  }

  return async (projectId: string, workflowId: string, request: SimulationRequest): Promise<Simulated> => {
    const workflow = await getWorkflow(store.read, projectId, workflowId)
    if (request.graph) {
      const faults = await sentFaults(request.graph)
      if (faults.length > 0) throw invalid(faults.map((each) => under("graph", each)))
    }
    const sent = request.graph?.steps.flatMap(({ templateId, config }) => templateId ?? String(config.templateId ?? ""))
    const templateIds = sent?.filter((id) => id !== "") ?? (await graphs(committed(store.read), workflow)).templateIds
    await warmTemplates(store.read, projectId, templateIds, { templates, emails })
    return inTurn(projectId, async () => {
      const simulated = await runInSlices(projectId, workflowId, request)
      return { ...simulated, mails: await mailsOf(simulated) }
    })
  }
}

export type Simulate = ReturnType<typeof createSimulations>
