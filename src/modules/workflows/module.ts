import { eq } from "drizzle-orm"
import { Elysia } from "elysia"
import type { Engine } from "../../engine.ts"
import type { Protect } from "../../http/protect.ts"
import type { Renderer } from "../../mail/render/index.ts"
import type { Module } from "../../module.ts"
import type { SafeFetch } from "../../net/safe-fetch.ts"
import { deleteSome, deleteSurplus } from "../../store/delete-some.ts"
import type { Contacts } from "../contacts/index.ts"
import type { Domains } from "../domains/index.ts"
import type { Emails } from "../emails/index.ts"
import type { Events } from "../events/index.ts"
import type { Projects } from "../projects/index.ts"
import type { Templates } from "../templates/index.ts"
import { createWorkflowActions } from "./actions.ts"
import { createDraftActions } from "./drafts/actions.ts"
import { createMoves } from "./drafts/moves.ts"
import { draftRoutes } from "./drafts/routes.ts"
import { createEditorActions } from "./editor.ts"
import { editorRoutes } from "./editor-routes.ts"
import { createAdvance } from "./engine/advance.ts"
import { createCalls } from "./engine/calls.ts"
import { executionClockCorrections } from "./engine/clock-correction.ts"
import { cancelWhenDisabled, disabledSubscriber } from "./engine/disabled.ts"
import { createEngineUnits } from "./engine/engine-unit.ts"
import { createEventSubscriber } from "./engine/event-subscriber.ts"
import { createGraphs } from "./engine/graphs.ts"
import { createEventListeners } from "./engine/listeners.ts"
import { createPurge } from "./engine/purge.ts"
import { createRecordFault } from "./engine/record-fault.ts"
import { createRequestBuilder } from "./engine/request.ts"
import { createStart } from "./engine/start.ts"
import { createSteps } from "./engine/steps.ts"
import { createWarmUp } from "./engine/warm.ts"
import { createWorker } from "./engine/worker.ts"
import { createExecutionActions } from "./executions/actions.ts"
import { executionRoutes, overviewRoutes } from "./executions/routes.ts"
import { createGraphActions } from "./graph-actions.ts"
import { graphRoutes } from "./graph-routes.ts"
import { workflowReferences } from "./references.ts"
import { workflowRoutes } from "./routes.ts"
import { createSimulations } from "./simulation/actions.ts"
import { simulationRoutes } from "./simulation/routes.ts"
import { executionTable, workflowTable } from "./table.ts"
import { createWholeGraphActions } from "./whole/actions.ts"
import { wholeGraphRoutes } from "./whole/routes.ts"

interface WorkflowDeps {
  readonly projects: Pick<Projects, "find">
  readonly contacts: Pick<Contacts, "find" | "changeIn" | "fields" | "upsertIn" | "restoreIn">
  readonly events: Pick<Events, "keys" | "reach">
  readonly templates: Pick<Templates, "get" | "find">
  readonly domains: Pick<Domains, "requireVerifiedSender">
  readonly emails: Pick<
    Emails,
    "prepareTemplate" | "warmTemplate" | "acceptTemplate" | "localeOf" | "releaseExecutions" | "sourcesOf" | "shownAs"
  >
  readonly renderer: Renderer
  /** For the requests of WEBHOOK steps. */
  readonly outbound: SafeFetch
}

/** Workflows: graphs of steps that an event starts for a contact, and the engine that moves contacts through them. */
export function createWorkflows(engine: Engine, deps: WorkflowDeps) {
  const { store, bus, config } = engine
  const graphs = createGraphs()
  const listeners = createEventListeners()
  const newEngineUnit = createEngineUnits({ ...deps, graphs })
  const start = createStart({ ...engine, graphs })
  const advance = createAdvance({ ...engine, ...deps, listeners, startStep: createSteps(deps) })
  const prepareRequest = createRequestBuilder(deps)
  const calls = createCalls({
    ...engine,
    outbound: deps.outbound,
    pausesMs: config.webhooks.retryMs,
    advance,
    newEngineUnit,
    prepareRequest,
  })
  const recordFault = createRecordFault({ ...engine, advance, newEngineUnit })
  const worker = createWorker({
    ...engine,
    advance,
    newEngineUnit,
    recordFault,
    calls,
    warmUp: createWarmUp({ ...engine, ...deps, graphs }),
  })
  const { handlers, purge } = createPurge({ ...engine, ...deps })
  const moves = createMoves(engine)
  const actions = {
    ...createWorkflowActions({ ...engine, listeners, purge }),
    graph: createGraphActions({ ...engine, listeners }, deps),
    drafts: createDraftActions({ ...engine, listeners, moves, wake: worker.wake }),
    whole: createWholeGraphActions({ ...engine, listeners }),
    executions: createExecutionActions({ ...engine, ...deps, start, wake: worker.wake }),
    editor: createEditorActions({ ...engine, ...deps }),
    simulate: createSimulations({ ...engine, ...deps, graphs, advance, newEngineUnit, prepareRequest }),
  }
  return {
    name: "workflows",
    actions,
    routes: (protect: Protect) =>
      new Elysia()
        .use(editorRoutes(actions.editor, protect))
        .use(workflowRoutes(actions, protect))
        .use(graphRoutes(actions.graph, protect))
        .use(wholeGraphRoutes(actions.whole, protect))
        .use(simulationRoutes(actions.simulate, protect))
        .use(draftRoutes(actions.drafts, protect))
        .use(executionRoutes(actions.executions, protect))
        .use(overviewRoutes(actions.executions, protect)),
    references: workflowReferences,
    subscribers: [
      createEventSubscriber({ listeners, newEngineUnit, start, advance, recordFault, wake: worker.wake }),
      disabledSubscriber(bus, newEngineUnit),
    ],
    disable: cancelWhenDisabled(bus),
    handlers: [...handlers, ...moves.handlers],
    worker,
    clockCorrections: executionClockCorrections(config.webhooks.retryMs),
    open: () => listeners.open(store.read),
    // Fewer, because the steps of each go with it.
    eraseSome: (unit, projectId, limit) => deleteSome(unit, executionTable, projectId, Math.ceil(limit / 10)),
    eraseSomeOf: (unit, contactIds, limit) => deleteSurplus(unit, executionTable, contactIds, limit),
    async erase(unit, projectId): Promise<void> {
      await unit.db.delete(executionTable).where(eq(executionTable.projectId, projectId))
      await unit.db.delete(workflowTable).where(eq(workflowTable.projectId, projectId))
    },
  } satisfies Module
}

export type Workflows = ReturnType<typeof createWorkflows>["actions"]
