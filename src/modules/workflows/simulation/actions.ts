import type { Engine } from "../../../engine.ts"
import { DomainError, invalid, notFound } from "../../../kernel/errors.ts"
import type { JsonObject } from "../../../kernel/json.ts"
import { createSemaphore } from "../../../kernel/semaphore.ts"
import { RenderFault } from "../../../mail/render/index.ts"
import type { Unit } from "../../../store/writer.ts"
import type { ContactPatch, Contacts } from "../../contacts/index.ts"
import type { Emails } from "../../emails/index.ts"
import type { Templates } from "../../templates/index.ts"
import { getWorkflow } from "../actions.ts"
import { type ExecutableGraph, executable, type Graphs } from "../engine/graphs.ts"
import { UnitFault } from "../engine/steps.ts"
import { readGraph } from "../store.ts"
import type { Workflow } from "../table.ts"
import { adopt } from "../whole/adopt.ts"
import { graphFaults, structureFaults, under } from "../whole/faults.ts"
import type { SentGraph } from "../whole/sent.ts"
import { createRun, type LaterEvent, type RunDeps, type SimulatedRun } from "./run.ts"

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
export interface SimulatedMail {
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

export interface SimulationDeps extends RunDeps, Pick<Engine, "store"> {
  readonly graphs: Graphs
  readonly contacts: Pick<Contacts, "find" | "upsertIn" | "changeIn">
  readonly templates: Pick<Templates, "find">
  readonly emails: Pick<Emails, "sourcesOf" | "shownAs" | "warmTemplate">
}

/** Messages of which an answer has the content. */
const mostMails = 50
const madeUpAddress = "simulated@example.com"
/** Where a contact with the address of a made-up one goes meanwhile (RFC 2606). */
const aside = "aside.invalid"

/** Ends the unit of a simulation, so that nothing of it is stored. */
class SimulationEnd extends Error {}

/** Runs workflows in virtual time: nothing is stored, sent or emitted (contract B5.10). */
export function createSimulations(deps: SimulationDeps) {
  const { store, ids, graphs, contacts, templates, emails } = deps
  const run = createRun(deps)
  // Each holds the writer while it runs, so there is one at a time.
  const oneAtATime = createSemaphore(1)

  async function graphOf(unit: Unit, workflow: Workflow, sent: SentGraph | undefined): Promise<ExecutableGraph> {
    if (sent === undefined) return graphs(unit.db, workflow)
    const { graph, faults } = await adopt(unit.db, ids, workflow, sent, await readGraph(unit.db, workflow.id))
    if (faults.length > 0) throw invalid(faults.map((each) => under("graph", each)))
    return executable(graph)
  }

  async function contactIn(unit: Unit, projectId: string, { contactId, contact }: SimulationRequest): Promise<string> {
    if (contactId === undefined) {
      const { email = madeUpAddress, ...fields } = contact
      const found = await contacts.upsertIn(unit, projectId, { email, subscribedWhenNew: true })
      // A real contact with this address is not the one that is made up.
      if (!found.isNew)
        await contacts.changeIn(unit, projectId, found.contact.id, { email: `${found.contact.id}@${aside}` }, "api")
      return (await contacts.upsertIn(unit, projectId, { ...fields, email, subscribedWhenNew: true })).contact.id
    }
    if ((await contacts.find(unit.db, projectId, contactId)) === undefined) throw notFound("Contact", contactId)
    return contactId
  }

  /** Long templates are compiled before the unit, which may not wait for it. */
  async function warm(projectId: string, templateIds: readonly string[]): Promise<void> {
    for (const id of templateIds) {
      const template = await templates.find(store.read, projectId, id)
      if (template) await emails.warmTemplate(template)
    }
  }

  async function inUnit(projectId: string, workflowId: string, request: SimulationRequest): Promise<RunWithFault> {
    let found: SimulatedRun | undefined
    const ended = await store
      .write(projectId, async (unit) => {
        const workflow = await getWorkflow(unit.db, projectId, workflowId)
        const graph = await graphOf(unit, workflow, request.graph)
        const contactId = await contactIn(unit, projectId, request)
        const { context, events, until } = request
        await run(unit, { workflow, graph, contactId, context, events, until }, (known) => {
          found = known
        })
        throw new SimulationEnd()
      })
      .catch((cause: unknown) => cause)
    if (found !== undefined && ended instanceof SimulationEnd) return { ...found, fault: null }
    if (found !== undefined && ended instanceof UnitFault) return { ...found, fault: ended.message }
    throw ended
  }

  async function mailsOf({ effects }: SimulatedRun): Promise<ReadonlyMap<string, SimulatedMail>> {
    const mails = new Map<string, SimulatedMail>()
    for (const [id, { mail }] of effects) {
      if (mail === undefined || mails.size === mostMails) continue
      try {
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
      const unreadable = structureFaults(request.graph)
      const faults = unreadable.length > 0 ? unreadable : await graphFaults(request.graph)
      if (faults.length > 0) throw invalid(faults.map((each) => under("graph", each)))
    }
    const sent = request.graph?.steps.flatMap(({ templateId, config }) => templateId ?? String(config.templateId ?? ""))
    await warm(projectId, sent?.filter((id) => id !== "") ?? (await graphs(store.read, workflow)).templateIds)
    await oneAtATime.acquire()
    try {
      const simulated = await inUnit(projectId, workflowId, request)
      return { ...simulated, mails: await mailsOf(simulated) }
    } finally {
      oneAtATime.release()
    }
  }
}

export type Simulate = ReturnType<typeof createSimulations>
