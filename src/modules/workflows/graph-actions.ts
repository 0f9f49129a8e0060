import type { Engine } from "../../engine.ts"
import { isGiven } from "../../http/schema.ts"
import { conflict, type Fault, malformed, notFound } from "../../kernel/errors.ts"
import { parseId } from "../../kernel/ids.ts"
import type { Db } from "../../store/database.ts"
import type { Unit } from "../../store/writer.ts"
import type { Templates } from "../templates/index.ts"
import { getWorkflow, locked } from "./actions.ts"
import { configFaults, contentFaults } from "./config.ts"
import type { Listeners } from "./engine/listeners.ts"
import { isLocked, isStoodOn } from "./executions/store.ts"
import { autoConnectFrom, connect, type Graph, plain, splice, withoutExit } from "./graph.ts"
import { isGraphTooBig, maxGraphBytes, maxSteps, maxTransitions } from "./limits.ts"
import {
  countVersion,
  deleteStep,
  deleteTransitions,
  findStepType,
  findWorkflow,
  insertStep,
  insertTransitions,
  readGraph,
  saveStep,
  saveTransition,
} from "./store.ts"
import type { Step, StepConfig, StepType, Transition, Workflow } from "./table.ts"

export interface StepFields {
  readonly type: StepType
  readonly name: string
  readonly position: Step["position"]
  readonly config: StepConfig
  readonly templateId: string | null
  readonly autoConnect: boolean | undefined
}

export type StepChange = { readonly [K in "name" | "position" | "config" | "templateId"]?: Step[K] | undefined }

export interface TransitionFields {
  readonly fromStepId: string
  readonly toStepId: string
  readonly branch: string
  readonly priority: number
}

/** A step with the transitions at it. */
export interface ConnectedStep extends Graph {
  readonly step: Step
}

interface GraphEngine extends Pick<Engine, "store" | "ids"> {
  readonly listeners: Pick<Listeners, "add">
}

/** @throws {DomainError} 400 when a graph with these steps is beyond the limits (contract B5.3.7) */
function requireWithinLimits(steps: readonly Pick<Step, "config">[]): void {
  if (steps.length > maxSteps) throw malformed(`A workflow has at most ${maxSteps} steps.`)
  if (isGraphTooBig(steps)) throw malformed(`The configs of a workflow have at most ${maxGraphBytes} bytes.`)
}

export function createGraphActions(
  { store, ids, listeners }: GraphEngine,
  { templates }: { readonly templates: Pick<Templates, "get"> },
) {
  type Work<T> = (unit: Unit, graph: Graph, workflow: Workflow) => Promise<T>

  /** One unit with the graph of a workflow as it is. Work that changes it counts the version. */
  const inUnit = <T>(projectId: string, workflowId: string, work: Work<T>): Promise<T> =>
    store.write(projectId, async (unit) => {
      const workflow = await getWorkflow(unit.db, projectId, workflowId)
      return work(unit, await readGraph(unit.db, workflowId), workflow)
    })

  /** Changes the graph of a workflow in one unit, which counts its version. */
  const changing = <T>(projectId: string, workflowId: string, work: Work<T>): Promise<T> =>
    inUnit(projectId, workflowId, async (unit, graph, workflow) => {
      const result = await work(unit, graph, workflow)
      await countVersion(unit, workflowId)
      return result
    })

  /** Executions may wait for the event of a step from this unit on. */
  function listen(projectId: string, { type, config }: Step): void {
    if (type === "WAIT_FOR_EVENT") listeners.add(projectId, String(config.eventName))
  }

  const stepIn = ({ steps }: Graph, id: string): Step => {
    const step = steps.find((one) => one.id === id)
    if (step === undefined) throw notFound("Step", id)
    return step
  }

  /** Resolves to the template that a step sends (contract B5.4.2). @throws {DomainError} 404 */
  async function templateOf(
    db: Db,
    projectId: string,
    { type, config, templateId }: Pick<Step, "type" | "config" | "templateId">,
  ) {
    if (type !== "SEND_EMAIL") return null
    const named = templateId ?? config.templateId
    return (await templates.get(projectId, parseId(String(named)) ?? String(named), db)).id
  }

  const transition = (unit: Unit, workflowId: string, fields: TransitionFields, automatic: boolean): Transition => ({
    ...fields,
    id: ids.next(),
    workflowId,
    automatic,
    createdAt: unit.now,
    updatedAt: unit.now,
  })

  async function connected(db: Db, step: Step): Promise<ConnectedStep> {
    return { step, ...(await readGraph(db, step.workflowId)) }
  }

  return {
    /** The fields are those of a body without faults. */
    addStep(projectId: string, workflowId: string, { autoConnect, ...fields }: StepFields): Promise<ConnectedStep> {
      return changing(projectId, workflowId, async (unit, graph) => {
        if (fields.type === "TRIGGER") throw malformed("A workflow has one TRIGGER step.")
        const templateId = await templateOf(unit.db, projectId, fields)
        requireWithinLimits([...graph.steps, fields])
        const times = { createdAt: unit.now, updatedAt: unit.now }
        const config = templateId === null ? fields.config : { ...fields.config, templateId }
        const step: Step = { ...fields, ...times, id: ids.next(), workflowId, config, templateId }
        listen(projectId, step)
        await insertStep(unit, step)
        const connects = autoConnect ?? !graph.steps.some(({ type }) => type === "CONDITION")
        const from = connects ? autoConnectFrom(graph) : undefined
        if (from) {
          const edge = { fromStepId: from.id, toStepId: step.id, branch: plain, priority: 0 }
          await insertTransitions(unit, [transition(unit, workflowId, edge, true)])
        }
        return connected(unit.db, step)
      })
    },

    /** The faults of a new config of a step, which keeps its type; none when there is no such step. */
    async changeFaults(
      projectId: string,
      workflowId: string,
      id: string,
      change: { readonly config: StepConfig; readonly templateId: unknown },
    ): Promise<Fault[]> {
      if ((await findWorkflow(store.read, projectId, workflowId)) === undefined) return []
      const type = await findStepType(store.read, workflowId, id)
      if (type === undefined) return []
      const keepsTemplate = change.config.templateId === undefined && !isGiven(change.templateId)
      return keepsTemplate ? configFaults(type, change.config) : contentFaults(type, change)
    },

    /** The change has no faults. */
    changeStep(projectId: string, workflowId: string, id: string, change: StepChange): Promise<ConnectedStep> {
      return inUnit(projectId, workflowId, async (unit, graph, workflow) => {
        const stored = stepIn(graph, id)
        if (stored.type === "TRIGGER" && change.config !== undefined)
          throw malformed("The config of the trigger follows from the workflow.")
        const sent = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
        const wanted: Step = { ...stored, ...sent }
        if (change.config !== undefined || change.templateId !== undefined) {
          // A template in a new config counts unless one is sent beside it.
          const named = change.templateId ?? (change.config?.templateId === undefined ? stored.templateId : null)
          wanted.templateId = await templateOf(unit.db, projectId, { ...wanted, templateId: named })
          if (wanted.templateId !== null) wanted.config = { ...wanted.config, templateId: wanted.templateId }
        }
        if (Bun.deepEquals(wanted, stored)) return { step: stored, ...graph }
        const isEffective = !Bun.deepEquals(wanted.config, stored.config) || wanted.templateId !== stored.templateId
        if (isEffective && (await isLocked(unit.db, workflow))) throw locked()
        const step = { ...wanted, updatedAt: unit.now }
        requireWithinLimits(graph.steps.map((one) => (one.id === id ? step : one)))
        listen(projectId, step)
        await saveStep(unit, step)
        await deleteTransitions(unit, withoutExit(graph, step))
        await countVersion(unit, workflowId)
        return connected(unit.db, step)
      })
    },

    /** Deletes a step with its transitions; `splices` leads its entries to its plain target (contract B5.3.6). */
    removeStep: (projectId: string, workflowId: string, id: string, splices: boolean): Promise<void> =>
      changing(projectId, workflowId, async (unit, graph) => {
        const step = stepIn(graph, id)
        if (step.type === "TRIGGER") throw malformed("The trigger cannot be deleted.")
        if (await isStoodOn(unit.db, id)) throw conflict(`Contacts stand on the step "${step.name}".`)
        const led = splices ? splice(graph, step) : []
        await deleteStep(unit, step)
        await insertTransitions(
          unit,
          led.map((one) => ({ ...one, updatedAt: unit.now })),
        )
      }),

    addTransition: (projectId: string, workflowId: string, fields: TransitionFields): Promise<Transition> =>
      changing(projectId, workflowId, async (unit, graph) => {
        const [from, to] = [stepIn(graph, fields.fromStepId), stepIn(graph, fields.toStepId)]
        const result = connect(graph, fields, from, to)
        if ("exists" in result) {
          // A transition that was requested explicitly is no longer automatic.
          const kept = { ...result.exists, automatic: false, updatedAt: unit.now }
          await saveTransition(unit, kept)
          return kept
        }
        if (graph.transitions.length - result.displaces.length >= maxTransitions)
          throw malformed(`A workflow has at most ${maxTransitions} transitions.`)
        await deleteTransitions(unit, result.displaces)
        const added = transition(unit, workflowId, fields, false)
        await insertTransitions(unit, [added])
        return added
      }),

    removeTransition: (projectId: string, workflowId: string, id: string): Promise<void> =>
      changing(projectId, workflowId, async (unit, { transitions }, workflow) => {
        const stored = transitions.find((one) => one.id === id)
        if (stored === undefined) throw notFound("Transition", id)
        if (await isLocked(unit.db, workflow)) throw locked()
        await deleteTransitions(unit, [stored])
      }),
  }
}

export type GraphActions = ReturnType<typeof createGraphActions>
